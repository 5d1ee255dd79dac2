/** Writes bodies one behind the other into large pieces of memory, so that none is copied. */
import type { Templates } from './templates.ts';

/** For one thread: a body is started, written and finished before the next. */
export class ByteWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #start = 0;
  #position = 0;

  start(): void {
    this.#start = this.#position;
  }

  text(text: string): void {
    this.#reserve(text.length * UTF8_BYTES_MAX);
    this.#position += this.#slab.write(text, this.#position);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#slab.set(bytes, this.#position);
    this.#position += bytes.length;
  }

  /** A few bytes out of a larger array. */
  range(source: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    for (let i = from; i < to; i++) this.#slab[this.#position++] = source[i]!;
  }

  template(templates: Templates, row: number): void {
    this.#reserve(templates.bytesMax(row));
    this.#position = templates.write(row, this.#slab, this.#position);
  }

  /** The bytes since `start`. Nothing is written over them; a slab goes when its last body has. */
  finish(): Buffer {
    return this.#slab.subarray(this.#start, this.#position);
  }

  /** Where the rest of the slab is too small, what has been written moves to a new one. */
  #reserve(bytes: number): void {
    if (this.#position + bytes <= this.#slab.length) return;
    const written = this.#position - this.#start;
    const slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, 2 * (written + bytes)));
    this.#slab.copy(slab, 0, this.#start, this.#position);
    this.#slab = slab;
    this.#start = 0;
    this.#position = written;
  }
}

/** Some 500 organisations, or 25 pages. */
const SLAB_BYTES = 1 << 20;

/** A UTF-16 code unit becomes three bytes at the most. */
const UTF8_BYTES_MAX = 3;
