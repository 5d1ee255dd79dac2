/** The checksums of all artefacts, in a file that `sha256sum --check` and `shasum -c` read. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export const CHECKSUMS = 'SHA256SUMS';

export async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    lines.push(`${await hashOf(join(folder, name))}  ${name}\n`);
  }
  writeFileSync(join(folder, CHECKSUMS), lines.join(''));
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
