/** Replaces a file in one step, so that it is always whole. */
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { FILE_MODE, syncFolder } from './data-folder.ts';
import { withStorageErrors } from './storage-error.ts';

/**
 * One program at a time may do this. The next one replaces what an interrupted one left. The file is
 * durable when it returns. Throws a `StorageError`.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const draft = `${path}.draft`;
  withStorageErrors(path, () => {
    try {
      writeDurably(draft, bytes);
      renameSync(draft, path);
      syncFolder(dirname(path));
    } catch (fault) {
      rmSync(draft, { force: true });
      throw fault;
    }
  });
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', FILE_MODE);
  try {
    fchmodSync(file, FILE_MODE);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
