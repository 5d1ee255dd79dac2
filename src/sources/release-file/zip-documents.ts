/**
 * Finds the XML files of a release in a zip, or in the zips inside it. A zip may be damaged or
 * hostile, so the sums of its entries are checked.
 */

import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import { SourceError } from '../../directory/import/source.ts';
import { copyPrivately, counted, type Opening, tooLarge, type UnpackedBytes } from './opening.ts';
import type { ReleaseDocument } from './read-release.ts';
import { printable } from './source-text.ts';

/** The full file of the zip at this path, and the archive if the options ask for it. */
export async function zipDocuments(
  path: string,
  name: string,
  opening: Opening,
): Promise<readonly ReleaseDocument[]> {
  const outer = await openZip(path, name, opening);
  const located = (await locateParts(outer, opening)).filter((part) => part !== undefined);
  const sizes = located.map(({ entry }) => entry.uncompressedSize);
  const bytesTotal = sizes.reduce((sum, size) => sum + size, 0);
  return located.map(({ zip, entry }, index) => ({
    name: `${printable(entryBaseName(entry))} in ${name}`,
    chunks: zip.read(entry),
    bytesBefore: index === 0 ? 0 : (sizes[0] ?? 0),
    bytesTotal: () => bytesTotal,
  }));
}

/** The entries of a zip that matter: XML files, and zips that contain them. */
const fullXml = /^HSCOrgRefData_Full_.*\.xml$/i;
export const archiveXml = /^HSCOrgRefData_Archive_.*\.xml$/i;
const fullZip = /^fullfile\.zip$/i;
const archiveZip = /^archive\.zip$/i;

/** An XML file in a zip. */
interface Located {
  readonly zip: ZipArchive;
  readonly entry: yauzl.Entry;
}

async function locateParts(
  outer: ZipArchive,
  opening: Opening,
): Promise<readonly (Located | undefined)[]> {
  if (opening.parts === 'archive') return [await locate(outer, archiveZip, archiveXml, opening)];
  const full = await locate(outer, fullZip, fullXml, opening);
  return [full, await locateArchive(outer, full, opening)];
}

async function locateArchive(
  outer: ZipArchive,
  full: Located | undefined,
  opening: Opening,
): Promise<Located | undefined> {
  const holdsArchive = outer.entries.some(
    (entry) => archiveZip.test(entryBaseName(entry)) || archiveXml.test(entryBaseName(entry)),
  );
  if (opening.includeArchive) {
    const archive = await locate(outer, archiveZip, archiveXml, opening);
    if (archive !== undefined) return archive;
    // The zip inside that contains only the full file may be imported without the other one.
    if (full !== undefined && full.zip === outer) return undefined;
    if (full !== undefined) {
      throw new SourceError(`${outer.name} holds no archive: give it without --include-archive.`);
    }
  } else if (full !== undefined) {
    return undefined;
  } else if (holdsArchive) {
    throw onlyTheArchive(outer.name);
  }
  throw notARelease(outer);
}

/** The XML file in this zip, or in the zip inside it that should contain it. */
async function locate(
  outer: ZipArchive,
  zipName: RegExp,
  xmlName: RegExp,
  opening: Opening,
): Promise<Located | undefined> {
  const entry = onlyEntry(outer, xmlName);
  if (entry !== undefined) return { zip: outer, entry };
  const inner = onlyEntry(outer, zipName);
  if (inner === undefined) return undefined;
  const name = `${printable(entryBaseName(inner))} in ${outer.name}`;
  const fileName = zipName === fullZip ? 'fullfile.zip' : 'archive.zip';
  const path = await copyPrivately(outer.read(inner), fileName, opening);
  const zip = await openZip(path, name, opening);
  const innerEntry = onlyEntry(zip, xmlName);
  if (innerEntry === undefined) throw notARelease(zip);
  return { zip, entry: innerEntry };
}

function onlyEntry(zip: ZipArchive, name: RegExp): yauzl.Entry | undefined {
  const [entry, ...others] = zip.entries.filter((each) => name.test(entryBaseName(each)));
  if (others.length > 0 && entry !== undefined) {
    throw new SourceError(
      `${zip.name} holds ${others.length + 1} files like ${printable(entryBaseName(entry))}: ` +
        'give a zip of one release.',
    );
  }
  return entry;
}

/** An open zip. Entry names serve to recognise entries and are never used as paths. */
interface ZipArchive {
  /** For messages. */
  readonly name: string;
  readonly entries: readonly yauzl.Entry[];
  /** The unpacked bytes of an entry. Throws a SourceError if they differ from what the zip states. */
  read(entry: yauzl.Entry): AsyncGenerator<Uint8Array, void, undefined>;
}

/** Opens the zip at this path. Throws a SourceError if it is not a zip, or has too many entries. */
async function openZip(path: string, name: string, opening: Opening): Promise<ZipArchive> {
  const zip = await yauzl
    .openPromise(path, { autoClose: false })
    .catch((error: unknown) => Promise.reject(damaged(name, error)));
  opening.cleanUps.push(() => zip.close());
  // Ignores errors here, because the stream of an entry reports the errors of reading it.
  zip.on('error', () => undefined);
  const entries = await listEntries(zip, name);
  return { name, entries, read: (entry) => readEntry(zip, entry, name, opening.bytes) };
}

export function onlyTheArchive(name: string): SourceError {
  return new SourceError(
    `${name} holds only the archive of closed organisations: give the full file, ` +
      'or add --include-archive.',
  );
}

function notARelease(zip: ZipArchive): SourceError {
  const names = zip.entries.slice(0, ENTRIES_SHOWN).map((entry) => printable(entry.fileName));
  const more = zip.entries.length > names.length ? ', …' : '';
  const holds = names.length === 0 ? 'nothing' : names.join(', ') + more;
  return new SourceError(
    `${zip.name} is another kind of zip, without a release inside (it holds ${holds}): ` +
      'give the zip of TRUD item 341 as it was fetched.',
  );
}

/** Enough to see what kind of zip it is. */
const ENTRIES_SHOWN = 3;

/** The name of an entry without the folders that it is in. */
function entryBaseName(entry: yauzl.Entry): string {
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
