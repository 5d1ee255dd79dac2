/** Clones of the last commit, and the artefacts made in them. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Owner } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

export interface Artifacts {
  readonly folder: string;
  /** What the command printed. */
  readonly output: string;
}

/** `depth`: how many folders are between the temporary folder and the clone. */
export async function artifactsOfClone(owner: Owner, depth: number): Promise<Artifacts> {
  const top = temporaryFolder(owner);
  const parent = join(top, ...Array.from({ length: depth }, () => 'folder'));
  mkdirSync(parent, { recursive: true });
  const clone = join(parent, 'gazetteer');
  mustRun('git', ['clone', '--quiet', '--shared', ROOT, clone]);
  copyPackages(clone);
  const folder = join(top, 'artifacts');
  const words = ['run', '--silent', 'release:artifacts', '--', '--commit', '--output', folder];
  const { stdout } = await promisify(execFile)('npm', words, { cwd: clone });
  return { folder, output: stdout };
}

/** Real folders, as of `npm ci`: esbuild follows links. Hard links are quick, but need one disk. */
function copyPackages(clone: string): void {
  const packages = join(ROOT, 'node_modules');
  const linked = spawnSync('cp', ['-al', packages, clone]);
  if (linked.status !== 0) mustRun('cp', ['-a', `${packages}/.`, join(clone, 'node_modules')]);
}

/** `SHA256SUMS` by name. */
export function checksumsOf({ folder }: Artifacts): Readonly<Record<string, string>> {
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [hash = '', name = ''] = line.split('  ');
      return [name, hash];
    }),
  );
}

export function mustRun(program: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
  return stdout;
}
