/** The open files while a release is read, private copies of them, and the limit of unpacked bytes. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SourceError } from '../../directory/record/source.ts';
import { printable } from '../text/source-text.ts';

export interface OpenReleaseOptions {
  /** A path, or a stream of bytes (standard input). */
  readonly file: string | AsyncIterable<Uint8Array>;
  /** Whether to read the archive of closed organisations too. */
  readonly includeArchive: boolean;
  /** `archive`: only the archive, if there is one. By default, `includeArchive` decides. */
  readonly parts?: 'archive';
  /** The limit of unpacked bytes in all, including those of zips inside the zip. */
  readonly unpackedBytesMax?: number;
  /** The folder for private copies of files that need random access. They are removed at the end. */
  readonly temporaryFolder: string;
}

/** The state of a release that is being read. */
export interface Opening extends OpenReleaseOptions {
  readonly bytes: UnpackedBytes;
  /** Close files and remove copies. The last one runs first. */
  readonly cleanUps: (() => unknown)[];
  /** The folder of the private copies, after the first copy. */
  folder: string | undefined;
}

/** The first bytes of an input, and the whole input. */
export interface Input {
  readonly start: Buffer;
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Reads the first bytes: `length` of them or more, if there are so many. */
export async function startOf(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  length: number,
): Promise<Input> {
  let start = Buffer.alloc(0);
  while (start.length < length) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const whole = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      if (start.length > 0) yield start;
      yield* chunks;
    } finally {
      await chunks.return();
    }
  };
  return { start, chunks: whole(), close: async () => void (await chunks.return()) };
}

/** The name of a file in messages. */
export function nameOf(file: OpenReleaseOptions['file']): string {
  return typeof file === 'string' ? printable(basename(file)) : 'standard input';
}

/** Makes a copy that only this user can read, and returns its path. */
export async function copyPrivately(
  chunks: AsyncIterable<Uint8Array>,
  fileName: string,
  opening: Opening,
): Promise<string> {
  if (opening.folder === undefined) {
    const folder = await makePrivateFolder(opening.temporaryFolder);
    opening.cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    opening.folder = folder;
  }
  const path = join(opening.folder, fileName);
  const copy = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(chunks, copy);
  return path;
}

async function makePrivateFolder(parent: string): Promise<string> {
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    return await mkdtemp(join(parent, 'release-'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceError(`There is no room for temporary files (${reason}): make that writable.`);
  }
}

/** The bytes that may still be unpacked. All parts of one file share them. */
export interface UnpackedBytes {
  left: number;
  readonly max: number;
}

/** Yields the same chunks and counts them. Throws a SourceError before the first chunk over the limit. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  bytes: UnpackedBytes,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    bytes.left -= chunk.length;
    if (bytes.left < 0) throw tooLarge(bytes, name);
    yield chunk;
  }
}

/** The error for a file that unpacks to more bytes than the limit. */
export function tooLarge(bytes: UnpackedBytes, name: string): SourceError {
  return new SourceError(
    `${name} unpacks to more than the ${bytes.max} bytes allowed: is it the release? ` +
      'If so, raise the limit (import.unpackedMax).',
  );
}
