/** The file of a table in a data folder. It is replaced in one step, so it is always whole. */
import { fstatSync, readSync, statSync } from 'node:fs';
import type { AboutTable, StoredTable } from '../../directory/arrays/stored-table.ts';
import {
  openDataFolder,
  openDataFolderToRead,
  replaceFile,
  withFile,
} from '../files/data-folder.ts';
import { acquireLock } from '../files/lock.ts';
import { startPoll } from '../files/poll.ts';
import { withStorageErrors } from '../files/storage-error.ts';
import type { CheckedPart } from '../repository/verification.ts';
import { failedCheck } from '../repository/verification.ts';
import { decodeTable } from './table-bytes.ts';
import type { TableKind } from './table-kinds.ts';
import type { TableStore } from './table-store.ts';

export function createFileTable<About extends AboutTable>(
  kind: TableKind<About>,
  dataFolder: string,
): TableStore<About> {
  const { name } = kind;
  const pathToRead = () => openDataFolderToRead(dataFolder, false)[name];
  return {
    kind,
    read: async () => readStoredTable(kind, pathToRead()),
    bytes: async () => {
      const memory = readWhole(pathToRead());
      return memory && new Uint8Array(memory);
    },
    publish: async (bytes) => {
      const folder = openDataFolder(dataFolder);
      using _lock = acquireLock(folder.path, 'import');
      replaceFile(folder[name], bytes);
    },
    watch: async (onNew, onProblem) => {
      const path = pathToRead();
      let known: string | undefined;
      const look = async () => {
        const status = statSync(path, { throwIfNoEntry: false });
        if (status === undefined) return;
        const seen = `${status.ino} ${status.mtimeMs} ${status.size}`;
        if (seen === known) return;
        // Also if it cannot be read: it stays as it is until another is imported.
        known = seen;
        const stored = readStoredTable(kind, path);
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
export function readStoredTable<About extends AboutTable>(
  kind: TableKind<About>,
  path: string,
): StoredTable<About> | undefined {
  const memory = readWhole(path);
  return memory && decodeTable(kind, path, memory);
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
export async function* verifyTable<About extends AboutTable>(
  store: TableStore<About>,
): AsyncGenerator<CheckedPart> {
  const { name, count } = store.kind;
  try {
    const { about } = (await store.read()) ?? {};
    if (about === undefined) return;
    const summary = `${count(about).toLocaleString('en-GB')} of ${about.source}`;
    yield { name, findings: [], summary };
  } catch (error) {
    yield { name, ...failedCheck(error, `Import the ${name} again.`) };
  }
}
