/** Replaces a file in one step, so that it is always whole. */
import { fchmodSync, fsyncSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { FILE_MODE, syncFolder, withFile } from './data-folder.ts';
import { withStorageErrors } from './storage-error.ts';

/**
 * One program at a time may do this. The next one replaces what an interrupted one left. The file is
 * durable when it returns. Throws a `StorageError`.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const draft = `${path}.draft`;
  withStorageErrors(path, () => {
    try {
      writeDurably(draft, 'w', bytes);
      renameSync(draft, path);
      syncFolder(dirname(path));
    } catch (fault) {
      rmSync(draft, { force: true });
      throw fault;
    }
  });
}

/** Only the owner can read the file. Its name is not yet durable. */
export function writeDurably(path: string, flags: 'w' | 'wx', bytes: Uint8Array): void {
  withFile(path, flags, (file) => {
    fchmodSync(file, FILE_MODE); // independent of the umask
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  });
}
