/** The file of postcodes in a data folder. It is replaced in one step, so it is always whole. */
import { fstatSync, readSync, statSync } from 'node:fs';
import type { StoredPostcodes } from '../../directory/places/stored-postcodes.ts';
import { type DataFolder, replaceFile, withFile } from '../files/data-folder.ts';
import { acquireLock } from '../files/lock.ts';
import { startPoll } from '../files/poll.ts';
import { withStorageErrors } from '../files/storage-error.ts';
import type { CheckedPart } from '../repository/verification.ts';
import { failedCheck } from '../repository/verification.ts';
import { decodePostcodes } from './postcode-bytes.ts';
import type { PostcodeStore } from './postcode-store.ts';

export function createFilePostcodes(open: () => DataFolder): PostcodeStore {
  return {
    read: async () => readStoredPostcodes(open().postcodes),
    bytes: async () => {
      const memory = readWhole(open().postcodes);
      return memory && new Uint8Array(memory);
    },
    publish: async (bytes) => {
      const folder = open();
      using _lock = acquireLock(folder.path, 'import');
      replaceFile(folder.postcodes, bytes);
    },
    watch: async (onNew, onProblem) => {
      const { postcodes: path } = open();
      let known: string | undefined;
      const look = async () => {
        const status = statSync(path, { throwIfNoEntry: false });
        if (status === undefined) return;
        const seen = `${status.ino} ${status.mtimeMs} ${status.size}`;
        if (seen === known) return;
        // Also if it cannot be read: it stays as it is until another is imported.
        known = seen;
        const stored = readStoredPostcodes(path);
        if (stored !== undefined) onNew(stored);
      };
      const poll = startPoll(look, { pauseMs: () => LOOK_MS, onProblem });
      return async () => poll.end();
    },
  };
}

/** A look takes less than 0.1 ms. */
const LOOK_MS = 1_000;

/** Undefined if there is no file. Throws a `StorageError`. */
export function readStoredPostcodes(path: string): StoredPostcodes | undefined {
  const memory = readWhole(path);
  return memory && decodePostcodes(path, memory);
}

function readWhole(path: string): SharedArrayBuffer | undefined {
  return withStorageErrors(path, () => {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    return withFile(path, 'r', (file) => {
      const memory = new SharedArrayBuffer(fstatSync(file).size);
      const target = new Uint8Array(memory);
      let at = 0;
      for (let count = -1; count !== 0 && at < target.length; at += count) {
        count = readSync(file, target, at, target.length - at, null);
      }
      return memory;
    });
  });
}

/** Yields nothing if there are none. */
export async function* verifyPostcodes(store: PostcodeStore): AsyncGenerator<CheckedPart> {
  const name = 'postcodes';
  try {
    const { about } = (await store.read()) ?? {};
    if (about === undefined) return;
    const summary = `${about.postcodes.toLocaleString('en-GB')} of ${about.source}`;
    yield { name, findings: [], summary };
  } catch (error) {
    yield { name, ...failedCheck(error, 'Import the postcodes again.') };
  }
}
