/** One edition's arrays on disk: a folder of flat files and a manifest with their checksums. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { NamedArrays, NumberArray } from '../../directory/arrays/arrays.ts';
import {
  type DataFolder,
  FILE_MODE,
  FOLDER_MODE,
  syncFolder,
  withFile,
} from '../files/data-folder.ts';
import { StorageError, systemCode } from '../files/storage-error.ts';
import { type ArrayForm, byteLengthOf, createSharedArrays, formOf } from './shared-arrays.ts';

/** The content of `manifest.json`. The checksums are CRC-32. */
interface Manifest {
  /** The byte order of the numbers. Files are read into memory without conversion. */
  readonly byteOrder: 'LE' | 'BE';
  readonly files: readonly ManifestFile[];
}

/** The file of an array is `<name>.bin`. */
interface ManifestFile extends ArrayForm {
  readonly checksum: number;
}

export const MANIFEST_NAME = 'manifest.json';

/** The form of names, because they become file names. */
const NAME_FORM = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

/** A piece is checked right after it is read, while it is in the cache of the processor. */
const PIECE_BYTES = 1 << 20;

/** Syncs that run at the same time need little more time than one of them. Node has four threads. */
const SYNCS_AT_ONCE = 4;

/** Writes a new folder. Throws the errors of the file system unchanged. */
export class EditionFolderWriter {
  readonly #path: string;
  readonly #files: ManifestFile[] = [];
  readonly #syncs = new Set<Promise<void>>();
  /** The errors of syncs. */
  readonly #faults: unknown[] = [];

  constructor(path: string) {
    mkdirSync(path, { mode: FOLDER_MODE });
    this.#path = path;
  }

  /** Also waits for syncs of files before. */
  async write(name: string, array: NumberArray): Promise<void> {
    if (!NAME_FORM.test(name) || this.#files.some((file) => file.name === name)) {
      throw new RangeError(`'${name}' is not a valid name for an array, or was written before.`);
    }
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const checksum = this.#writeFile(fileName(name), bytes);
    this.#files.push({ ...formOf(name, array), checksum });
    await this.#finishSyncs(SYNCS_AT_ONCE - 1);
  }

  /**
   * Writes the manifest when all files are durable. The folder is then complete and durable. Returns
   * the manifest's checksum.
   */
  async finish(): Promise<number> {
    await this.#finishSyncs(0);
    const manifest: Manifest = { byteOrder: endianness(), files: this.#files };
    const text = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
    const checksum = this.#writeFile(MANIFEST_NAME, text);
    await this.#finishSyncs(0);
    syncFolder(this.#path);
    return checksum;
  }

  /** Begins to sync the file. Returns the checksum. */
  #writeFile(name: string, bytes: Uint8Array): number {
    const file = openSync(join(this.#path, name), 'wx', FILE_MODE);
    let checksum = 0;
    try {
      fchmodSync(file, FILE_MODE); // independent of the umask
      for (let at = 0; at < bytes.length; ) {
        const count = writeSync(file, bytes, at, Math.min(PIECE_BYTES, bytes.length - at));
        checksum = crc32(bytes.subarray(at, at + count), checksum);
        at += count;
      }
    } catch (error) {
      closeSync(file);
      throw error;
    }
    const sync: Promise<void> = new Promise<void>((done, fail) =>
      fsync(file, (error) => (error === null ? done() : fail(error))),
    )
      .finally(() => closeSync(file))
      .catch((error: unknown) => void this.#faults.push(error))
      .finally(() => this.#syncs.delete(sync));
    this.#syncs.add(sync);
    return checksum;
  }

  /** Waits for the syncs of all files but this number. */
  async #finishSyncs(left: number): Promise<void> {
    while (this.#syncs.size > left) await Promise.race(this.#syncs);
    if (this.#faults.length > 0) throw this.#faults[0];
  }
}

/** The folder of an edition's data. */
export function editionPath(folder: DataFolder, number: number): string {
  return join(folder.editions, String(number).padStart(6, '0'));
}

/** Whether the folder has an array, without a check of the array. */
export function hasArray(path: string, name: string): boolean {
  return existsSync(join(path, fileName(name)));
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** The next import removes the files that cannot be removed now. */
export function removeQuietly(path: string): void {
  try {
    removeFolder(path);
  } catch {
    // The import has already succeeded or failed; an error here must not hide that.
  }
}

/**
 * Reads the arrays of a folder into shared memory. Throws if a byte differs from what was
 * written.
 */
export function readEditionFolder(path: string, manifestChecksum: number): NamedArrays {
  const files = readManifest(path, manifestChecksum);
  const arrays = createSharedArrays(files);
  for (const file of files) {
    const { buffer, byteOffset, byteLength } = arrays[file.name]!;
    const target = new Uint8Array(buffer, byteOffset, byteLength);
    readFile(path, file, (at) => target.subarray(at, at + PIECE_BYTES));
  }
  return arrays;
}

/** Reads a folder as `readEditionFolder` does, and keeps nothing. */
export function checkEditionFolder(path: string, manifestChecksum: number): void {
  const piece = new Uint8Array(PIECE_BYTES);
  for (const file of readManifest(path, manifestChecksum)) {
    readFile(path, file, () => piece);
  }
}

/** Compares files with their manifest. */
export interface FilesCheck {
  /** The bytes that follow those before in the same file. */
  add(file: string, bytes: Uint8Array): void;
  /** Throws if a byte differs from what was written. */
  finish(): void;
}

/** For files that are not in a folder. `place` is for messages. */
export function checkFiles(place: string, manifest: Buffer, manifestChecksum: number): FilesCheck {
  const sums = new Map<string, { bytes: number; checksum: number }>();
  const files = parseManifest(place, manifest, manifestChecksum);
  return {
    add: (file, bytes) => {
      const sum = sums.get(file) ?? { bytes: 0, checksum: 0 };
      sum.bytes += bytes.length;
      sum.checksum = crc32(bytes, sum.checksum);
      sums.set(file, sum);
    },
    finish: () => {
      for (const entry of files) {
        const path = join(place, fileName(entry.name));
        const sum = sums.get(fileName(entry.name));
        if (sum === undefined) throw damaged(path, 'it is missing');
        requireLength(path, entry, sum.bytes);
        requireChecksum(path, entry, sum.checksum);
      }
    },
  };
}

function readManifest(path: string, checksum: number): readonly ManifestFile[] {
  const manifestPath = join(path, MANIFEST_NAME);
  return parseManifest(
    path,
    naming(manifestPath, () => readFileSync(manifestPath)),
    checksum,
  );
}

function parseManifest(path: string, text: Buffer, checksum: number): readonly ManifestFile[] {
  requireChecksum(join(path, MANIFEST_NAME), { checksum }, crc32(text));
  // The checksum shows that `finish` wrote these bytes.
  const manifest = JSON.parse(text.toString()) as Manifest;
  if (manifest.byteOrder !== endianness()) {
    throw new StorageError(
      'unusable',
      `${path}: made on a machine with another byte order; import the edition here`,
    );
  }
  return manifest.files;
}

/** `pieceAt` returns the memory for the bytes from `at` on. */
function readFile(folder: string, entry: ManifestFile, pieceAt: (at: number) => Uint8Array): void {
  const path = join(folder, fileName(entry.name));
  const bytes = byteLengthOf(entry);
  const read = (file: number) => {
    requireLength(path, entry, fstatSync(file).size);
    let sum = 0;
    for (let at = 0; at < bytes; ) {
      const piece = pieceAt(at);
      const count = readSync(file, piece, 0, Math.min(piece.length, bytes - at), at);
      if (count === 0) throw damaged(path, 'it was cut off while it was read');
      sum = crc32(piece.subarray(0, count), sum);
      at += count;
    }
    requireChecksum(path, entry, sum);
  };
  naming(path, () => withFile(path, 'r', read));
}

function requireLength(path: string, entry: ManifestFile, bytes: number): void {
  if (bytes === byteLengthOf(entry)) return;
  throw damaged(path, `it has ${bytes} bytes instead of ${byteLengthOf(entry)}`);
}

function requireChecksum(path: string, { checksum }: Pick<ManifestFile, 'checksum'>, sum: number) {
  if (sum !== checksum) throw damaged(path, 'its checksum is wrong');
}

function fileName(array: string): string {
  return `${array}.bin`;
}

function naming<Result>(path: string, open: () => Result): Result {
  try {
    return open();
  } catch (fault) {
    if (systemCode(fault) === 'ENOENT') throw damaged(path, 'it is missing');
    throw fault;
  }
}

/** What to do about a damaged edition, or list of editions: backups have neither. */
export const EDITION_REMEDY = 'Import the release again, or use "gazetteer rollback".';

function damaged(path: string, what: string): StorageError {
  return new StorageError(
    'damaged',
    `${path}: ${what}; import the edition again, or publish another with \`gazetteer rollback\``,
  );
}
