/** The spool: a file that collects what a service sends, so that interrupted work can continue. */
import {
  chmodSync,
  closeSync,
  createReadStream,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import { SourceError } from '../../directory/record/source.ts';

/** After `sync`, everything that was added is on the disk. */
export class Spool {
  readonly path: string;
  readonly #descriptor: number;
  #bytes = 0;

  constructor(path: string) {
    this.path = path;
    this.#descriptor = openSync(path, 'a+', 0o600);
    chmodSync(path, 0o600);
    this.#bytes = fstatSync(this.#descriptor).size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async *lines(): AsyncGenerator<string> {
    if (this.#bytes === 0) return;
    const input = createReadStream(this.path, { end: this.#bytes - 1 });
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  }

  /** Removes the bytes after this length. Returns false if the file is shorter. */
  cutTo(bytes: number): boolean {
    if (bytes > this.#bytes) return false;
    ftruncateSync(this.#descriptor, bytes);
    this.#bytes = bytes;
    return true;
  }

  add(piece: Uint8Array): void {
    for (let written = 0; written < piece.length; ) {
      written += writeSync(this.#descriptor, piece, written);
    }
    this.#bytes += piece.length;
  }

  sync(): void {
    fdatasyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Throws a SourceError with the remedy if a source has more bytes than the import may unpack. */
export function requireBytes(bytes: number, bytesMax: number, source: string, what = ''): void {
  if (bytes <= bytesMax) return;
  throw new SourceError(
    `${source} has more than ${bytesMax} bytes${what}. If this is correct, raise import.unpackedMax.`,
  );
}
