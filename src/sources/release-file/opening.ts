/** The open files while a release is read, and private copies of them. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SourceError } from '../../directory/import/source.ts';
import { printable } from './source-text.ts';
import type { UnpackedBytes } from './unpacked-bytes.ts';
import type { ZipArchive } from './zip-archive.ts';

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
  readonly inputs: Input[];
  readonly zips: ZipArchive[];
  /** The folder of the private copies, after the first copy. */
  folder: string | undefined;
}

/** The first bytes of an input, and the whole input. */
export interface Input {
  readonly start: Buffer;
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
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
  opening.folder ??= await makePrivateFolder(opening.temporaryFolder);
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
