/** Key files: small files that are written once, completely or not at all, and only for their user. */
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { FILE_MODE, syncFolder, writeDurably } from './data-folder.ts';
import { StorageError, systemCode, withStorageErrors } from './storage-error.ts';

const AUDIT_KEY_BYTES = 32;

/**
 * If several processes make the same file at once, all of them get the key of the first. Replaces a
 * file that stays empty.
 */
export function makeAuditKey(
  path: string,
  key: Uint8Array = randomBytes(AUDIT_KEY_BYTES),
): Uint8Array {
  const write = (): Uint8Array | undefined => {
    try {
      writeKeyFile(path, key);
      return key;
    } catch (error) {
      if (!isNameTaken(error)) throw error;
      return keyOfOther(path);
    }
  };
  const made = write();
  if (made !== undefined) return made;
  rmSync(path, { force: true });
  const again = write();
  if (again !== undefined) return again;
  throw new StorageError('unusable', `${path}: the file stays empty; remove it`);
}

/** On file systems without hard links, the file of another process is empty for a moment. */
function keyOfOther(path: string): Uint8Array | undefined {
  const endMs = performance.now() + EMPTY_MS_MAX;
  for (;;) {
    const key = readAuditKey(path);
    if (key !== undefined || performance.now() > endMs) return key;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
  }
}

const EMPTY_MS_MAX = 500;
const LOOK_EVERY_MS = 20;

function isNameTaken(error: unknown): boolean {
  return systemCode(error instanceof StorageError ? error.cause : error) === 'EEXIST';
}

/** Undefined if the file is missing or empty. It is empty if its writer was killed. */
export function readAuditKey(path: string): Uint8Array | undefined {
  const key = readKeyFile(path);
  if (key === undefined || key.length === 0) return undefined;
  requirePrivateKey(path);
  if (key.length === AUDIT_KEY_BYTES) return key;
  throw new StorageError(
    'damaged',
    `${path}: it has ${key.length} bytes instead of ${AUDIT_KEY_BYTES}; put it back from a backup`,
  );
}

/**
 * Refuses a key that others may read, as ssh does: with the key, anybody can forge the audit
 * log.
 */
function requirePrivateKey(path: string): void {
  const othersMayRead = (statSync(path).mode & 0o077) !== 0;
  if (!othersMayRead || process.platform === 'win32') return; // Windows has no file modes
  throw new StorageError(
    'denied',
    `${path}: other users may read this key, and could forge the audit log with it; ` +
      'run `chmod 600` on it',
  );
}

export function readKeyFile(path: string): Uint8Array | undefined {
  return withStorageErrors(path, () => {
    try {
      return readFileSync(path);
    } catch (fault) {
      if (systemCode(fault) === 'ENOENT') return undefined;
      throw fault;
    }
  });
}

/** Fails if the file exists. */
export function writeKeyFile(path: string, key: Uint8Array): void {
  withStorageErrors(path, () => {
    const draft = `${path}.${randomUUID()}`;
    try {
      writeDurably(draft, 'wx', key);
      publishFile(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/** Gives a finished file its name, durably. Fails with EEXIST if the name is taken. */
export function publishFile(draft: string, path: string): void {
  try {
    linkSync(draft, path);
    rmSync(draft);
  } catch (fault) {
    if (!WITHOUT_LINKS.has(systemCode(fault) ?? '')) throw fault;
    closeSync(openSync(path, 'wx', FILE_MODE)); // reserves the name
    renameSync(draft, path);
  }
  syncFolder(dirname(path));
}

/** The errors of file systems without hard links. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
