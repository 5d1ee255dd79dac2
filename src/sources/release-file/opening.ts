/** What is open while a release file is read, and the private copies that are made of it. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SourceError } from '../../directory/import/source.ts';
import { printable } from './source-text.ts';
import type { UnpackedBytes } from './unpacked-bytes.ts';
import type { ZipArchive } from './zip-archive.ts';

export interface OpenReleaseOptions {
  /** A path, or the bytes as they come (standard input). */
  readonly file: string | AsyncIterable<Uint8Array>;
  /** Whether the archive of closed organisations is read too. */
  readonly includeArchive: boolean;
  /** How much may be unpacked in all, zips inside the zip included. */
  readonly unpackedBytesMax?: number;
  /** Where private copies of what needs random access are made; removed when done. */
  readonly temporaryFolder: string;
}

/** What is open while a release is read. */
export interface Opening extends OpenReleaseOptions {
  readonly bytes: UnpackedBytes;
  readonly inputs: Input[];
  readonly zips: ZipArchive[];
  /** The folder of the private copies, once there is one. */
  folder: string | undefined;
}

/** The first bytes of an input, and all of it. */
export interface Input {
  readonly start: Buffer;
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** What messages call a file. */
export function nameOf(file: OpenReleaseOptions['file']): string {
  return typeof file === 'string' ? printable(basename(file)) : 'standard input';
}

/** A copy with a path, readable by this user only. */
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
