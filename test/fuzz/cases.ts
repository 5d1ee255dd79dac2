/** The inputs that the fuzzer saved: one file each, in a folder for each kind of input. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KindName } from './kinds.ts';

const FOLDER = fileURLToPath(new URL('cases', import.meta.url));

export interface KeptCase {
  readonly file: string;
  readonly input: Buffer;
}

/** Writes an input to the folder of its kind and answers the name of the file. */
export function keepCase(kind: KindName, input: Uint8Array): string {
  const folder = join(FOLDER, kind);
  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256').update(input).digest('hex').slice(0, 16);
  const file = join(folder, `${hash}.input`);
  writeFileSync(file, input);
  return file;
}

export function keptCases(kind: KindName): KeptCase[] {
  const folder = join(FOLDER, kind);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.input'))
    .toSorted()
    .map((file) => ({ file, input: readFileSync(join(folder, file)) }));
}
