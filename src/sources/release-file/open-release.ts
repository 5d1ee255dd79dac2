/** Opens a release file (zip, zip in a zip, XML, gzip) and yields the XML files in it one by one. */
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { SourceError } from '../../directory/record/source.ts';
import { systemReason } from '../../fhir/request/system-reason.ts';
import {
  copyPrivately,
  counted,
  type Input,
  nameOf,
  type Opening,
  type OpenReleaseOptions,
  startOf,
  type UnpackedBytes,
} from '../archive/opening.ts';
import { quoted } from '../text/source-text.ts';
import type { ReleaseDocument } from './read-release.ts';
import { archiveXml, onlyTheArchive, zipDocuments } from './zip-documents.ts';

/**
 * Yields the XML files of a release: the full file, and then the archive if the options ask for it.
 * The first bytes of the file show its format: the downloaded zip, a zip inside it, XML, or gzipped
 * XML. When the loop ends for any reason, all files are closed and all copies are removed.
 */
export async function* openRelease(
  options: OpenReleaseOptions,
): AsyncGenerator<ReleaseDocument, void, undefined> {
  const max = options.unpackedBytesMax ?? UNPACKED_BYTES_MAX_DEFAULT;
  const opening: Opening = {
    ...options,
    bytes: { left: max, max },
    cleanUps: [],
    folder: undefined,
  };
  try {
    yield* await documentsOf(opening);
  } catch (error) {
    throw readable(error, options.file);
  } finally {
    for (const cleanUp of opening.cleanUps.toReversed()) await cleanUp();
  }
}

/** Throws a SourceError if the file does not exist, is a folder, or cannot be read by this user. */
export async function requireReadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
    if ((await stat(file)).isDirectory()) throw isFolder(quoted(file));
  } catch (error) {
    throw readable(error, file);
  }
}

/** The limit is twelve times the size of the national release. */
const UNPACKED_BYTES_MAX_DEFAULT = 8 * 1024 ** 3;

async function documentsOf(opening: Opening): Promise<readonly ReleaseDocument[]> {
  const { file, bytes } = opening;
  const name = nameOf(file);
  const isArchiveOnly = opening.parts === 'archive';
  const isArchive = archiveXml.test(name.replace(/\.gz$/i, ''));
  if (!isArchiveOnly && isArchive && !opening.includeArchive) throw onlyTheArchive(name);
  const status = typeof file === 'string' ? await stat(file) : undefined;
  const fileBytes = status?.isFile() === true ? status.size : undefined;
  const input = await startOf(chunksOf(file), START_BYTES);
  opening.cleanUps.push(input.close);
  const wrapping = wrappingOf(input.start);
  if (isArchiveOnly && wrapping !== 'zip') return [];
  switch (wrapping) {
    case 'zip': {
      if (typeof file !== 'string' || fileBytes === undefined) {
        const chunks = counted(input.chunks, bytes, name);
        const path = await copyPrivately(chunks, 'standard-input.zip', opening);
        return zipDocuments(path, name, opening);
      }
      await input.close();
      return zipDocuments(file, name, opening);
    }
    case 'gzip':
      return [{ ...gzipDocument(input, bytes, name, fileBytes), isArchive }];
    case 'utf-16':
      throw new SourceError(`${name} is in UTF-16, and a release is in UTF-8: fetch it again.`);
    case 'none': {
      const chunks = counted(input.chunks, bytes, name);
      return [{ name, isArchive, chunks, bytesBefore: 0, bytesTotal: () => fileBytes }];
    }
  }
}

async function* chunksOf(
  file: OpenReleaseOptions['file'],
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* typeof file === 'string' ? createReadStream(file) : file;
  } catch (error) {
    throw readable(error, file);
  }
}

/** The length of the longest signature of a file format. */
const START_BYTES = 4;

function wrappingOf(start: Buffer): 'zip' | 'gzip' | 'utf-16' | 'none' {
  // The second signature is that of a zip without entries.
  const mark = start.length < START_BYTES ? 0 : start.readUInt32BE(0);
  if (mark === 0x504b0304 || mark === 0x504b0506) return 'zip';
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) {
    return 'utf-16';
  }
  return 'none';
}

/** A gzip does not state its unpacked size reliably. */
function gzipDocument(
  input: Input,
  bytes: UnpackedBytes,
  name: string,
  fileBytes: number | undefined,
): ReleaseDocument {
  const gunzip = createGunzip({ chunkSize: GUNZIP_CHUNK_BYTES });
  return {
    name,
    chunks: gunzipped(input.chunks, gunzip, bytes, name),
    bytesBefore: 0,
    bytesTotal: () => {
      if (fileBytes === undefined || gunzip.bytesWritten === 0) return undefined;
      return Math.round(((bytes.max - bytes.left) / gunzip.bytesWritten) * fileBytes);
    },
  };
}

async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  gunzip: Gunzip,
  bytes: UnpackedBytes,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const feeding = pipeline(chunks, gunzip);
  // The same error also reaches the code that reads from `gunzip`, which handles it.
  feeding.catch(() => undefined);
  try {
    yield* counted(gunzip, bytes, name);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(
      `${name} is cut off or damaged (gzip): fetch the release again (TRUD item 341).`,
    );
  }
}

/** The parser is fastest with pieces of this size. */
const GUNZIP_CHUNK_BYTES = 65_536;

/** Turns an error of the operating system into one line that says what to do. */
function readable(error: unknown, file: OpenReleaseOptions['file']): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const name = typeof file === 'string' ? quoted(file) : nameOf(file);
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new SourceError(`There is no file ${name}: check the path.`);
    case 'EACCES':
    case 'EPERM':
      return new SourceError(`${name} may not be read by this user: check its permissions.`);
    case 'EISDIR':
      return isFolder(name);
    case 'ENOSPC':
      return new SourceError(`There is no room left to unpack ${name}: free some disk space.`);
    default:
      return new SourceError(`${name} cannot be read: ${systemReason(error)}. Check the disk.`);
  }
}

function isFolder(name: string): SourceError {
  return new SourceError(`${name} is a folder: name a file in it.`);
}
