/** A private folder with a small state file, which is replaced as a whole. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';

export interface StateFolder<T> {
  /** The path of another file in the folder. */
  filePath(name: string): string;
  /** Undefined if the file is missing or not valid. The work then begins without a state. */
  read(): T | undefined;
  /** Writes the file completely or not at all, and durably. */
  write(state: T): void;
}

/** Creates the folder, which only this user can read. */
export function openStateFolder<T>(
  path: string,
  schema: z.ZodType<T>,
  fileName = 'state.json',
): StateFolder<T> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700); // independent of the umask
  const file = join(path, fileName);
  return {
    filePath: (name) => join(path, name),
    read: () => readStateFile(file, schema),
    write: (state) => {
      const draft = `${file}.new`;
      const descriptor = openSync(draft, 'w', 0o600);
      try {
        writeSync(descriptor, `${JSON.stringify(state)}\n`);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(draft, file);
    },
  };
}

/** Undefined if the file is missing or not valid. */
export function readStateFile<T>(file: string, schema: z.ZodType<T>): T | undefined {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
  return schema.safeParse(content).data;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
