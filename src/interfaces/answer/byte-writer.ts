/** Writes bodies one after the other into large pieces of memory (slabs). */
import type { Templates } from './templates.ts';

/** For one thread: each answer is started, written and finished before the next. */
export class ByteWriter {
  /** The newest slabs, each at its number modulo their count. */
  readonly #slabs: (Slab | undefined)[];
  readonly #slabsKept: number;
  readonly #slabBytes: number;
  readonly #slabOf = new WeakMap<ArrayBufferLike, Slab>();
  readonly #places = new WeakMap<Entries, Places>();
  /** The current slab, and the number of slabs before it. */
  #slab: Slab;
  #number = 0;
  #start = 0;
  #position = 0;
  /** Neighbouring entries in a slab that wait to be copied to the current position. */
  #runSlab: Slab;
  #runFrom = 0;
  #runTo = 0;

  /** `entries` copies earlier entries from the last `slabsKept` slabs of one megabyte. */
  constructor(slabsKept = 1, slabBytes = SLAB_BYTES) {
    this.#slabsKept = slabsKept;
    this.#slabBytes = slabBytes;
    this.#slab = this.#newSlab(slabBytes);
    this.#slabs = [this.#slab];
    this.#runSlab = this.#slab;
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

  /**
   * Writes an entry for each row. An entry that was written not long ago is copied from there, and
   * neighbours are copied at once.
   */
  entries(entries: Entries, rows: readonly number[]): void {
    const { separator } = entries;
    const places = this.#placesOf(entries);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const gap = i === 0 ? 0 : separator.length;
      const length = places.lengths[row]!;
      // Before the lookup, because a new slab may replace the one that has the entry.
      if (!this.#hasRoom(this.#runTo - this.#runFrom + gap + length)) {
        this.#copyRun();
        this.#reserve(gap + length);
      }
      const slab = this.#slabWith(places, row);
      const offset = places.offsets[row]!;
      if (slab !== undefined && this.#isNextOfRun(slab, offset - gap, offset + length)) {
        places.note(row, this.#number, this.#position + offset - this.#runFrom, length);
        this.#runTo = offset + length;
        continue;
      }
      this.#copyRun();
      if (gap > 0) this.bytes(separator);
      if (slab === undefined) {
        const start = this.#position - this.#start;
        entries.write(row, this);
        const from = this.#start + start;
        places.note(row, this.#number, from, this.#position - from);
      } else {
        places.note(row, this.#number, this.#position, length);
        this.#runSlab = slab;
        this.#runFrom = offset;
        this.#runTo = offset + length;
      }
    }
    this.#copyRun();
  }

  /** The number of bytes since `start`. */
  get length(): number {
    return this.#position - this.#start;
  }

  /** The bytes since `start`. They are not overwritten before they are released. */
  finish(): Buffer {
    this.#slab.handedOut += 1;
    return this.#slab.bytes.subarray(this.#start, this.#position);
  }

  /**
   * Call once, when the bytes are no longer used. A slab is reused when all of its bytes have been
   * released. A slab with bytes in use is replaced by a new one.
   */
  release(bytes: Uint8Array): void {
    const slab = this.#slabOf.get(bytes.buffer);
    if (slab !== undefined) slab.handedOut -= 1;
  }

  /** Whether bytes from `from` to `to` follow the run, and are in their place already. */
  #isNextOfRun(slab: Slab, from: number, to: number): boolean {
    const isNext = slab === this.#runSlab && from === this.#runTo && this.#runTo > this.#runFrom;
    return isNext && (slab !== this.#slab || to <= this.#position);
  }

  #copyRun(): void {
    const length = this.#runTo - this.#runFrom;
    if (length === 0) return;
    this.#runSlab.bytes.copy(this.#slab.bytes, this.#position, this.#runFrom, this.#runTo);
    this.#position += length;
    this.#runTo = this.#runFrom;
  }

  #hasRoom(bytes: number): boolean {
    return this.#position + bytes <= this.#slab.bytes.length;
  }

  /** If the rest of the slab is too small, the answer moves to the next slab. */
  #reserve(bytes: number): void {
    if (this.#hasRoom(bytes)) return;
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
    // A larger slab is not kept, because only one answer needs it.
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

  #placesOf(entries: Entries): Places {
    let places = this.#places.get(entries);
    if (places === undefined) {
      places = new Places(entries.rowCount);
      this.#places.set(entries, places);
    }
    return places;
  }

  /** The slab that holds the row's entry, if it is kept. */
  #slabWith({ slabs, lengths }: Places, row: number): Slab | undefined {
    if (lengths[row] === 0) return undefined;
    const number = slabs[row]!;
    if (this.#number - number >= this.#slabsKept) return undefined;
    return this.#slabs[number % this.#slabsKept];
  }
}

/** Entries of the same form, such as those of searchset Bundles in JSON. A row has always the same. */
export interface Entries {
  readonly rowCount: number;
  /** Between two entries. */
  readonly separator: Uint8Array;
  write(row: number, writer: ByteWriter): void;
}

interface Slab {
  readonly bytes: Buffer;
  /** The number of answers in it that have not been released. */
  handedOut: number;
}

/** About 500 organisations, or 25 pages. */
const SLAB_BYTES = 1 << 20;

/** A UTF-16 code unit takes at most three bytes. */
const UTF8_BYTES_MAX = 3;

/** Where a writer last put the entry of each row: ten bytes for each row. */
export class Places {
  /** The number of the slab that the row's entry is in. */
  readonly slabs: Uint32Array;
  /** Where in the slab it begins. */
  readonly offsets: Uint32Array;
  /** The length in bytes; 0 if the entry was not written or is too long. */
  readonly lengths: Uint16Array;

  constructor(rows: number) {
    this.slabs = new Uint32Array(rows);
    this.offsets = new Uint32Array(rows);
    this.lengths = new Uint16Array(rows);
  }

  note(row: number, slab: number, offset: number, length: number): void {
    this.slabs[row] = slab;
    this.offsets[row] = offset;
    this.lengths[row] = length > LENGTH_MAX ? 0 : length;
  }
}

const LENGTH_MAX = 0xffff;
