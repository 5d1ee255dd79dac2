/** Writes bodies one behind the other into large pieces of memory, so that none is copied. */
import { Places } from './places.ts';
import type { Templates } from './templates.ts';

/** For one thread: a body is started, written and finished before the next. */
export class ByteWriter {
  /** The newest slabs, each at its number modulo their count. */
  readonly #slabs: (Slab | undefined)[];
  readonly #slabsKept: number;
  readonly #slabBytes: number;
  readonly #slabOf = new WeakMap<ArrayBufferLike, Slab>();
  readonly #places = new WeakMap<Templates, Places>();
  /** The slab that is written to, and how many there were before it. */
  #slab: Slab;
  #number = 0;
  #start = 0;
  #position = 0;

  /** Keeps so many slabs, a megabyte each, for `body` and `wholeBody` to find bodies in. */
  constructor(slabsKept = 1, slabBytes = SLAB_BYTES) {
    this.#slabsKept = slabsKept;
    this.#slabBytes = slabBytes;
    this.#slab = this.#newSlab(slabBytes);
    this.#slabs = [this.#slab];
  }

  start(): void {
    this.#start = this.#position;
  }

  text(text: string): void {
    this.#reserve(text.length * UTF8_BYTES_MAX);
    this.#position += this.#slab.bytes.write(text, this.#position);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#slab.bytes.set(bytes, this.#position);
    this.#position += bytes.length;
  }

  /** A few bytes out of a larger array. */
  range(source: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    const { bytes } = this.#slab;
    for (let i = from; i < to; i++) bytes[this.#position++] = source[i]!;
  }

  template(templates: Templates, row: number): void {
    this.#reserve(templates.bytesMax(row));
    this.#position = templates.write(row, this.#slab.bytes, this.#position);
  }

  /** As `template`, but copied from where it was written last, if that slab is kept. */
  body(templates: Templates, row: number): void {
    const places = this.#placesOf(templates);
    let length = places.lengths[row]!;
    // First, as this may be the end of the slab that the body is in.
    this.#reserve(length);
    const slab = this.#slabWith(places, row);
    if (slab === undefined) {
      this.#reserve(templates.bytesMax(row));
      length = templates.write(row, this.#slab.bytes, this.#position) - this.#position;
    } else {
      const offset = places.offsets[row]!;
      slab.bytes.copy(this.#slab.bytes, this.#position, offset, offset + length);
    }
    places.note(row, this.#number, this.#position, length);
    this.#position += length;
  }

  /** A row's body by itself, which need not be copied. */
  wholeBody(templates: Templates, row: number): Buffer {
    const places = this.#placesOf(templates);
    const slab = this.#slabWith(places, row);
    if (slab !== undefined) {
      const offset = places.offsets[row]!;
      slab.handedOut += 1;
      return slab.bytes.subarray(offset, offset + places.lengths[row]!);
    }
    this.start();
    this.body(templates, row);
    return this.finish();
  }

  /** The bytes since `start`. Nothing is written over them before they are released. */
  finish(): Buffer {
    this.#slab.handedOut += 1;
    return this.#slab.bytes.subarray(this.#start, this.#position);
  }

  /**
   * Says, once, that nobody looks at these bytes any more. A slab is written anew when all that was
   * handed out of it has been released; one that has not when its turn comes is left to whoever
   * still has it.
   */
  release(bytes: Uint8Array): void {
    const slab = this.#slabOf.get(bytes.buffer);
    if (slab !== undefined) slab.handedOut -= 1;
  }

  /** Where the rest of the slab is too small, what has been written moves to the next one. */
  #reserve(bytes: number): void {
    if (this.#position + bytes <= this.#slab.bytes.length) return;
    const written = this.#position - this.#start;
    const slab = this.#nextSlab(written + bytes);
    this.#slab.bytes.copy(slab.bytes, 0, this.#start, this.#position);
    this.#slab = slab;
    this.#start = 0;
    this.#position = written;
  }

  #nextSlab(bytesMin: number): Slab {
    this.#number += 1;
    const place = this.#number % this.#slabsKept;
    const oldest = this.#slabs[place];
    const isFree = oldest !== undefined && oldest !== this.#slab && oldest.handedOut === 0;
    const slab = isFree && bytesMin <= this.#slabBytes ? oldest : this.#newSlab(bytesMin);
    // A larger one would be kept for one answer's sake.
    this.#slabs[place] = slab.bytes.length > this.#slabBytes ? undefined : slab;
    return slab;
  }

  #newSlab(bytesMin: number): Slab {
    const usual = this.#slabBytes;
    const bytes = Buffer.allocUnsafeSlow(bytesMin <= usual ? usual : 2 * bytesMin);
    const slab = { bytes, handedOut: 0 };
    this.#slabOf.set(bytes.buffer, slab);
    return slab;
  }

  #placesOf(templates: Templates): Places {
    let places = this.#places.get(templates);
    if (places === undefined) {
      places = new Places(templates.rows);
      this.#places.set(templates, places);
    }
    return places;
  }

  /** The slab that holds the row's body, if it is kept. */
  #slabWith({ slabs, lengths }: Places, row: number): Slab | undefined {
    if (lengths[row] === 0) return undefined;
    const number = slabs[row]!;
    if (this.#number - number >= this.#slabsKept) return undefined;
    return this.#slabs[number % this.#slabsKept];
  }
}

interface Slab {
  readonly bytes: Buffer;
  /** How many bodies in it have not been released. */
  handedOut: number;
}

/** Some 500 organisations, or 25 pages. */
const SLAB_BYTES = 1 << 20;

/** A UTF-16 code unit becomes three bytes at the most. */
const UTF8_BYTES_MAX = 3;
