/** Unpacks data of an earlier version: see `test/fixtures/README.md`. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import type { RecordedAnswer, RecordedSearch } from './record-answers.ts';

export interface Expected {
  /** The number of versions of each order response. */
  readonly resources: Readonly<Record<string, number>>;
  /** What `verify` printed. */
  readonly verified: string;
  readonly answers: readonly RecordedAnswer[];
  /** Reads and searches of the directory. */
  readonly directory?: readonly RecordedSearch[];
  /** The second page of a search of order responses, whose link expires. */
  readonly search?: RecordedSearch;
  /** A token that the own key of the folder signed. */
  readonly token?: string;
}

export interface UnpackedFiles<Content> {
  readonly path: string;
  readonly data: string;
  readonly expected: Content;
}

export type Unpacked = UnpackedFiles<Expected>;

/** A fresh copy of a fixture, which is removed when the test ends. */
export function unpack(context: TestContext, name: string): Unpacked {
  return unpackFiles<Expected>(context, name);
}

/** The same, of a fixture whose `expected.json` has something else. */
export function unpackFiles<Content>(context: TestContext, name: string): UnpackedFiles<Content> {
  const folder = temporaryFolder(context);
  const archive = join(ROOT, 'test/fixtures', `${name}.tar.gz`);
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--no-same-owner']);
  const path = join(folder, name);
  const expected: Content = JSON.parse(readFileSync(join(path, 'expected.json'), 'utf8'));
  return { path, data: join(path, 'data'), expected };
}

/** The end of the audit log in the output of `verify`. */
export function headOf(verified: string): string {
  return /^audit head (.*)$/m.exec(verified)?.[1] ?? '';
}
