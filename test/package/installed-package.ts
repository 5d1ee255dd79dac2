/** Packs the project, and installs the package into an empty folder as its users do. */
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOFTWARE } from '../../src/config/version.ts';
import { copyProject } from '../documents/terminal.ts';
import type { Owner } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

export interface InstalledPackage {
  /** The folder in which `npm install` ran. */
  readonly folder: string;
  readonly packages: string;
  readonly program: string;
}

/** Returns the path of the package. */
export function packProject(owner: Owner): string {
  const checkout = join(temporaryFolder(owner), 'gazetteer');
  const folder = temporaryFolder(owner);
  copyProject(checkout);
  const packed = npm(checkout, ['pack', '--pack-destination', folder]);
  if (packed.status !== 0) throw new Error(packed.output);
  const manifest = readFileSync(join(checkout, 'package.json'), 'utf8');
  if (manifest !== readFileSync(join(ROOT, 'package.json'), 'utf8')) {
    throw new Error('npm pack changed package.json');
  }
  return join(folder, `gazetteer-fhir-${SOFTWARE.version}.tgz`);
}

/** Returns why npm cannot install the package, such as no network. */
export function installPackage(owner: Owner, tarball: string): InstalledPackage | string {
  const folder = temporaryFolder(owner);
  const words = ['install', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund'];
  const installed = npm(folder, [...words, tarball]);
  if (UNREACHABLE.test(installed.output)) return 'npm cannot reach its registry';
  if (installed.status !== 0) throw new Error(installed.output);
  const packages = join(folder, 'node_modules');
  return { folder, packages, program: join(packages, '.bin', 'gazetteer') };
}

const UNREACHABLE = /ENOTFOUND|ENOTCACHED|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT/;

/** The npm of the machine. The runtime of the checkout has none. */
function npm(cwd: string, words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** In bytes, in whole blocks of 4 KB as on most disks. */
export function diskSpaceOf(path: string): number {
  const status = lstatSync(path);
  if (!status.isDirectory()) return Math.ceil(status.size / BLOCK_BYTES) * BLOCK_BYTES;
  return readdirSync(path).reduce((sum, name) => sum + diskSpaceOf(join(path, name)), BLOCK_BYTES);
}

const BLOCK_BYTES = 4096;
