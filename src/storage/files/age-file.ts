/**
 * Files in the age format (https://age-encryption.org/v1), encrypted and decrypted piece by piece.
 * The library is loaded when it is needed, because that takes a tenth of a second.
 */
import { createReadStream, createWriteStream, existsSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { withFile } from './data-folder.ts';
import { StorageError, storageError, withStorageErrors } from './storage-error.ts';

interface Copying {
  readonly from: string;
  /** An existing file. Its content is replaced. */
  readonly to: string;
  readonly stopped?: AbortSignal | undefined;
}

/** Throws faults of the file `to` as they are. */
export async function encryptFile(
  copying: Copying & { readonly recipients: readonly string[] },
): Promise<void> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of copying.recipients) encrypter.addRecipient(recipient);
  await copyThrough(copying, (content) => encrypter.encrypt(content));
}

/** As `encryptFile`. Throws a `StorageError` if any byte of the file was changed or is missing. */
export async function decryptFile(
  copying: Copying & { readonly identities: readonly string[] },
): Promise<void> {
  const { from: path, identities, stopped } = copying;
  await requireDecryptable(path, identities);
  const decrypter = await decrypterOf(path, identities);
  try {
    await copyThrough(copying, (content) => decrypter.decrypt(content));
  } catch (fault) {
    const isOfLibrary = fault instanceof Error && !('code' in fault) && stopped?.aborted !== true;
    throw isOfLibrary && !(fault instanceof StorageError) ? damaged(path, fault) : fault;
  }
}

/** Reads only the beginning. Throws a `StorageError` if none of the identities opens the file. */
export async function requireDecryptable(
  path: string,
  identities: readonly string[],
): Promise<void> {
  if (!existsSync(path)) throw new StorageError('unusable', `${path}: there is no such file`);
  const start = readStart(path, HEADER_BYTES_MAX);
  if (!start.toString('latin1').startsWith(BINARY_MARK)) throw notEncrypted(path, start);
  const lastLine = start.indexOf(LAST_LINE_MARK);
  const end = lastLine < 0 ? -1 : start.indexOf('\n', lastLine + LAST_LINE_MARK.length);
  if (end < 0) throw damaged(path);
  const decrypter = await decrypterOf(path, identities);
  try {
    await decrypter.decryptHeader(start.subarray(0, end + 1));
  } catch (fault) {
    throw fault instanceof StorageError ? fault : damaged(path, fault);
  }
}

/** Whether the file is in the age format, also in its text form. */
export function isAgeFile(path: string): boolean {
  const start = readStart(path, TEXT_MARK.length).toString('latin1');
  return [BINARY_MARK, TEXT_MARK].some((mark) => start.startsWith(mark));
}

/** Whether a file can be encrypted for it. */
export async function isRecipient(text: string): Promise<boolean> {
  const { Encrypter } = await import('age-encryption');
  try {
    const encrypter = new Encrypter();
    encrypter.addRecipient(text);
    await encrypter.encrypt(''); // some keys are well-formed, and not points of the curve
    return true;
  } catch {
    return false;
  }
}

export async function isIdentity(text: string): Promise<boolean> {
  const { Decrypter } = await import('age-encryption');
  try {
    new Decrypter().addIdentity(text);
    return true;
  } catch {
    return false;
  }
}

const BINARY_MARK = 'age-encryption.org/v1\n';
/** Begins the last line of a header. */
const LAST_LINE_MARK = '\n--- ';

const TEXT_MARK = '-----BEGIN AGE ENCRYPTED FILE-----';
const SQLITE_MARK = 'SQLite format 3\0';

/** Room for 500 recipients of the largest kind. */
const HEADER_BYTES_MAX = 1024 * 1024;

/** The size of a piece that the format encrypts at once. */
const PIECE_BYTES = 64 * 1024;

async function decrypterOf(path: string, identities: readonly string[]) {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  // The library tries identities in order, so it gets here only if none of them opens the file.
  decrypter.addIdentity({
    unwrapFileKey: () => {
      throw new StorageError(
        'refused',
        `${path}: no identity of the file opens this backup; give the identity of one of its recipients`,
      );
    },
  });
  return decrypter;
}

async function copyThrough(
  { from, to, stopped }: Copying,
  change: (content: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
): Promise<void> {
  const source = createReadStream(from, { highWaterMark: PIECE_BYTES });
  let sourceFault: unknown;
  source.once('error', (fault) => {
    sourceFault = fault;
  });
  try {
    const changed = await change(Readable.toWeb(source));
    await pipeline(changed, createWriteStream(to), { signal: stopped });
  } catch (fault) {
    throw fault === sourceFault ? storageError(fault, from) : fault;
  } finally {
    source.destroy();
  }
}

function readStart(path: string, bytesMax: number): Buffer {
  const start = Buffer.alloc(bytesMax);
  const read = (file: number) => readSync(file, start, 0, bytesMax, 0);
  return start.subarray(
    0,
    withStorageErrors(path, () => withFile(path, 'r', read)),
  );
}

function notEncrypted(path: string, start: Buffer): StorageError {
  const text = start.toString('latin1');
  if (text.startsWith(SQLITE_MARK)) {
    return new StorageError(
      'refused',
      `${path}: this backup is not encrypted; restore it without --identity`,
    );
  }
  if (text.startsWith(TEXT_MARK)) {
    return new StorageError(
      'refused',
      `${path}: this backup is in the text form of age (armor); decrypt it with "age --decrypt", ` +
        'and restore the result without --identity',
    );
  }
  return new StorageError(
    'refused',
    `${path}: this is not a backup that is encrypted with age; use another file`,
  );
}

function damaged(path: string, cause?: unknown): StorageError {
  return new StorageError(
    'damaged',
    `${path}: the backup is damaged, or was cut short; use another backup`,
    cause,
  );
}
