/** Opens a zip that may be damaged or hostile, and reads its entries with their sums checked. */
import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import { SourceError } from '../../directory/import/source.ts';
import { printable } from './source-text.ts';
import { counted, tooLarge, type UnpackedBytes } from './unpacked-bytes.ts';

/** An open zip. Entry names serve to recognise entries and are never used as paths. */
export interface ZipArchive {
  /** For messages. */
  readonly name: string;
  readonly entries: readonly yauzl.Entry[];
  /** The unpacked bytes of an entry. Throws a SourceError if they differ from what the zip states. */
  read(entry: yauzl.Entry, bytes: UnpackedBytes): AsyncGenerator<Uint8Array, void, undefined>;
  close(): void;
}

/** Opens the zip at this path. Throws a SourceError if it is not a zip, or has too many entries. */
export async function openZipArchive(path: string, name: string): Promise<ZipArchive> {
  const zip = await yauzl
    .openPromise(path, { autoClose: false })
    .catch((error: unknown) => Promise.reject(damaged(name, error)));
  // Ignores errors here, because the stream of an entry reports the errors of reading it.
  zip.on('error', () => undefined);
  try {
    const entries = await listEntries(zip, name);
    return {
      name,
      entries,
      read: (entry, bytes) => readEntry(zip, entry, name, bytes),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** The name of an entry without the folders that it is in. */
export function entryBaseName(entry: yauzl.Entry): string {
  return entry.fileName.slice(entry.fileName.lastIndexOf('/') + 1);
}

/** A release has two entries. */
const ENTRIES_MAX = 100;

async function listEntries(zip: yauzl.ZipFile, name: string): Promise<readonly yauzl.Entry[]> {
  if (zip.entryCount > ENTRIES_MAX) {
    throw new SourceError(
      `${name} is a zip of ${zip.entryCount} files, not a release: ` +
        'give the zip of TRUD item 341 as it was fetched.',
    );
  }
  const entries: yauzl.Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw damaged(name, error);
  }
  return entries;
}

async function* readEntry(
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
  zipName: string,
  bytes: UnpackedBytes,
): AsyncGenerator<Uint8Array, void, undefined> {
  const name = `${printable(entryBaseName(entry))} in ${zipName}`;
  if (entry.isEncrypted()) {
    throw new SourceError(`${name} is encrypted: give the release without a password.`);
  }
  if (!entry.canDecodeFileData()) {
    throw new SourceError(
      `${name} is compressed by method ${entry.compressionMethod}, and this program reads ` +
        'deflated and stored files: unpack it and give the XML.',
    );
  }
  if (entry.uncompressedSize > bytes.left) throw tooLarge(bytes, name);
  let sum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of counted(stream, bytes, name)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof SourceError ? error : damaged(name, error);
  }
  if (sum !== entry.crc32) throw damaged(name, new Error('its checksum is wrong'));
}

function damaged(name: string, error: unknown): SourceError {
  return new SourceError(
    `${name} is cut off or damaged (${whatIsWrong(error)}): ` +
      'fetch the release again (TRUD item 341).',
  );
}

/** Translates the errors of the zip libraries into plain language. */
function whatIsWrong(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return WRONG.find(([pattern]) => pattern.test(text))?.[1] ?? 'its structure is not valid';
}

const WRONG: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^its /, 'its checksum is wrong'],
  [/^End of central directory/i, 'the list of files that a zip has at its end is missing'],
  [/relative path|absolute path|invalid characters/, 'the name of a file in it is an unsafe path'],
  [/not enough bytes|too many bytes/, 'a file in it is not as long as the zip says'],
  [
    /^(invalid|incorrect|unexpected|unknown|too many|need|zlib|oversubscribed|incomplete|missing)/,
    'its compressed data is damaged',
  ],
];
