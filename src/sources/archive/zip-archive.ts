/**
 * Reads the files of a zip. A zip may be damaged or hostile, so the sums of its entries are checked,
 * and their names are never used as paths.
 */
import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import { SourceError } from '../../directory/record/source.ts';
import { printable } from '../text/source-text.ts';
import { counted, type Opening, tooLarge, type UnpackedBytes } from './opening.ts';

/** What a zip should be, for messages. */
export interface ZipKind {
  /** `release` */
  readonly what: string;
  readonly entriesMax: number;
  /** What to do if the zip is damaged, and if it is another kind of zip. */
  readonly remedy: string;
  readonly whole: string;
  /** The format of the file in it: `XML`. */
  readonly unpacked: string;
}

/** An open zip. */
export interface ZipArchive {
  /** For messages. */
  readonly name: string;
  readonly entries: readonly yauzl.Entry[];
  /** The unpacked bytes of an entry. Throws a SourceError if they differ from what the zip states. */
  read(entry: yauzl.Entry): AsyncGenerator<Uint8Array, void, undefined>;
}

/** Opens the zip at this path. Throws a SourceError if it is not a zip, or has too many entries. */
export async function openZip(
  path: string,
  name: string,
  kind: ZipKind,
  opening: Pick<Opening, 'bytes' | 'cleanUps'>,
): Promise<ZipArchive> {
  const zip = await yauzl
    .openPromise(path, { autoClose: false })
    .catch((error: unknown) => Promise.reject(damaged(name, kind, error)));
  opening.cleanUps.push(() => zip.close());
  // Ignores errors here, because the stream of an entry reports the errors of reading it.
  zip.on('error', () => undefined);
  const entries = await listEntries(zip, name, kind);
  return { name, entries, read: (entry) => readEntry(zip, entry, name, kind, opening.bytes) };
}

/** Whether the file at this path begins as a zip does. */
export async function startsAsZip(file: string): Promise<boolean> {
  for await (const start of createReadStream(file, { end: 3 })) {
    return start.toString('latin1').startsWith('PK');
  }
  return false;
}

/** The first files of a zip, which show what kind of zip it is. */
export function holds({ entries }: ZipArchive): string {
  const names = entries.slice(0, ENTRIES_SHOWN).map((entry) => printable(entry.fileName));
  const more = entries.length > names.length ? ', …' : '';
  return names.length === 0 ? 'nothing' : names.join(', ') + more;
}

const ENTRIES_SHOWN = 3;

/** The name of an entry without the folders that it is in. */
export function entryBaseName(entry: yauzl.Entry): string {
  return entry.fileName.slice(entry.fileName.lastIndexOf('/') + 1);
}

async function listEntries(
  zip: yauzl.ZipFile,
  name: string,
  kind: ZipKind,
): Promise<readonly yauzl.Entry[]> {
  if (zip.entryCount > kind.entriesMax) {
    throw new SourceError(
      `${name} is a zip of ${zip.entryCount} files, not a ${kind.what}: ${kind.whole}.`,
    );
  }
  const entries: yauzl.Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw damaged(name, kind, error);
  }
  return entries;
}

async function* readEntry(
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
  zipName: string,
  kind: ZipKind,
  bytes: UnpackedBytes,
): AsyncGenerator<Uint8Array, void, undefined> {
  const name = `${printable(entryBaseName(entry))} in ${zipName}`;
  if (entry.isEncrypted()) {
    throw new SourceError(`${name} is encrypted: give the ${kind.what} without a password.`);
  }
  if (!entry.canDecodeFileData()) {
    throw new SourceError(
      `${name} is compressed by method ${entry.compressionMethod}, and this program reads ` +
        `deflated and stored files: unpack it and give the ${kind.unpacked}.`,
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
    throw error instanceof SourceError ? error : damaged(name, kind, error);
  }
  if (sum !== entry.crc32) throw damaged(name, kind, new Error('its checksum is wrong'));
}

function damaged(name: string, { remedy }: ZipKind, error: unknown): SourceError {
  return new SourceError(`${name} is cut off or damaged (${whatIsWrong(error)}): ${remedy}.`);
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
