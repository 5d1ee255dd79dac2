/** Builds the rows of an edition from records, and numbers their shapes. */
import { hash } from 'node:crypto';
import { type NamedArrays, sharedBytes } from '../arrays/arrays.ts';
import { FirstNumbers, startsOf } from '../arrays/first-numbers.ts';
import { GrowingArray } from '../arrays/growing-array.ts';
import type { OrganizationRecord } from '../record/record.ts';
import type { RowsBatch, ShapesBatch } from '../record/record-batches.ts';
import { LENGTH_BYTES_MAX, writeLength } from '../record/rows.ts';
import { shapeOf, writeTexts } from '../record/shape.ts';
import { recordHash } from './difference.ts';

/** Collects records in any order; `finish` makes rows of the wanted ones. */
export class RowsBuilder {
  readonly #shapes = new ShapesBuilder();
  /** The numbers in this builder for the shapes of other builders and of editions. */
  readonly #shapesFrom = new Map<object, number[]>();
  readonly #shapeOf = new GrowingArray(Uint32Array, 1 << 12);
  readonly #offsets = new GrowingArray(Float64Array, 1 << 12);
  readonly #hashes = new GrowingArray(Uint32Array, 1 << 13);
  readonly #values = new GrowingArray(Uint8Array, 1 << 16);

  get count(): number {
    return this.#shapeOf.length;
  }

  /** Adds a record and returns its ordinal, from 0. */
  add(record: OrganizationRecord): number {
    const ordinal = this.count;
    this.#offsets.push(this.#values.length);
    const key = writeTexts(record, this.#pushText);
    this.#shapeOf.push(this.#shapes.numberOf(key, record));
    const [high, low] = recordHash(record);
    this.#hashes.push(high);
    this.#hashes.push(low);
    return ordinal;
  }

  /** Returns everything that was added since the last call. The builder keeps the numbers of its shapes. */
  take(): RowsBatch {
    return {
      shapes: this.#shapes.take(),
      shapeOf: this.#shapeOf.take(),
      offsets: this.#offsets.take(),
      hashes: this.#hashes.take(),
      values: this.#values.take(),
    };
  }

  /** Adds the rows of a batch. `from` identifies the builder of the batch. */
  append({ shapes, shapeOf, offsets, hashes, values }: RowsBatch, from: object): void {
    const numbers = this.#shapesFrom.get(from) ?? [];
    this.#shapesFrom.set(from, numbers);
    for (const number of this.#shapes.append(shapes)) numbers.push(number);
    this.#shapeOf.pushEach(shapeOf, (shape) => numbers[shape]!);
    const start = this.#values.length;
    this.#offsets.pushEach(offsets, (offset) => start + offset);
    this.#hashes.pushAll(hashes);
    this.#values.pushAll(values);
  }

  /**
   * The arrays of the wanted ordinals, which become rows 0, 1, … in the order given. Shapes are
   * numbered in the order in which the rows have them.
   */
  finish(ordinals: Uint32Array): NamedArrays {
    const count = ordinals.length;
    const shape = new Uint32Array(count);
    const offsets = new Uint32Array(count + 1);
    const lengthOf = (ordinal: number) => this.#endOf(ordinal) - this.#offsets.array[ordinal]!;
    let length = 0;
    for (const ordinal of ordinals) length += lengthOf(ordinal);
    if (length > VALUES_BYTES_MAX) {
      throw new RangeError(`an edition holds at most ${VALUES_BYTES_MAX} bytes of text`);
    }
    const values = sharedBytes(length);
    const shapes = new FirstNumbers();
    let position = 0;
    ordinals.forEach((ordinal, row) => {
      shape[row] = shapes.numberOf(this.#shapeOf.array[ordinal]!);
      offsets[row] = position;
      position += lengthOf(ordinal);
    });
    offsets[count] = position;
    // Most rows follow each other as the records do.
    for (let row = 0; row < count; ) {
      const first = row;
      while (row + 1 < count && ordinals[row + 1] === ordinals[row]! + 1) row++;
      const start = this.#offsets.array[ordinals[first]!]!;
      const end = this.#endOf(ordinals[row]!);
      values.set(this.#values.array.subarray(start, end), offsets[first]);
      row++;
    }
    return {
      ...this.#shapes.finish(shapes.order),
      'rows.shape': shape,
      'rows.offsets': offsets,
      'rows.values': values,
      'rows.hashes': hashesOf(ordinals, this.#hashes),
    };
  }

  /** Returns the memory of the rows. */
  clear(): void {
    const arrays = [this.#shapeOf, this.#offsets, this.#hashes, this.#values];
    for (const part of [this.#shapes, ...arrays]) part.clear();
  }

  #endOf(ordinal: number): number {
    return ordinal + 1 < this.count ? this.#offsets.array[ordinal + 1]! : this.#values.length;
  }

  /** Most texts are short ASCII. For these, this loop takes less time than a call of the encoder. */
  readonly #pushText = (text: string): void => {
    const { length } = text;
    if (length > SHORT_LENGTH_MAX) {
      this.#pushEncoded(text);
      return;
    }
    const target = this.#values.reserve(length + 1);
    const start = this.#values.length;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) {
        this.#pushEncoded(text);
        return;
      }
      target[start + 1 + index] = unit;
    }
    target[start] = length;
    this.#values.length = start + 1 + length;
  };

  #pushEncoded(text: string): void {
    const longest = text.length * 3;
    const target = this.#values.reserve(longest + LENGTH_BYTES_MAX);
    const body = this.#values.length + LENGTH_BYTES_MAX;
    const { written } = encoder.encodeInto(text, target.subarray(body, body + longest));
    const start = writeLength(target, this.#values.length, written);
    target.copyWithin(start, body, body + written);
    this.#values.length = start + written;
  }
}

/** The two words of each of the wanted ordinals. */
export function hashesOf(ordinals: Uint32Array, words: GrowingArray<Uint32Array>): Uint32Array {
  const hashes = new Uint32Array(ordinals.length * 2);
  ordinals.forEach((ordinal, row) => {
    hashes[2 * row] = words.array[2 * ordinal]!;
    hashes[2 * row + 1] = words.array[2 * ordinal + 1]!;
  });
  return hashes;
}

/** 0xffffffff: offsets are 32-bit words. */
const VALUES_BYTES_MAX = 0xffff_ffff;

/** The longest length that fits into one byte of LEB128. */
const SHORT_LENGTH_MAX = 0x7f;

const encoder = new TextEncoder();

/** Collects the different shapes of records, and numbers them from 0. */
class ShapesBuilder {
  /** By key. */
  readonly #numbers = new Map<string, number>();
  /** By a hash of the JSON. */
  readonly #numbersOfTexts = new Map<string, number>();
  readonly #texts = new GrowingArray(Uint8Array, 1 << 12);
  readonly #lengths = new GrowingArray(Uint32Array, 1 << 6);
  readonly #haveTime = new GrowingArray(Uint8Array, 1 << 6);
  #keys: string[] = [];

  /** `key` is that of the record's shape. */
  numberOf(key: string, record: OrganizationRecord): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const shape = shapeOf(record);
    const hasTime = Number(shape.lastUpdated.includes('T'));
    return this.#add(key, encoder.encode(JSON.stringify(shape)), hasTime);
  }

  /** Returns the shapes since the last call, and keeps their numbers. Do not call `finish` after it. */
  take(): ShapesBatch {
    const keys = this.#keys;
    this.#keys = [];
    return {
      keys,
      texts: this.#texts.take(),
      lengths: this.#lengths.take(),
      haveTime: this.#haveTime.take(),
    };
  }

  /** Adds the shapes of a batch, and returns their numbers in this builder. */
  append({ keys, texts, lengths, haveTime }: ShapesBatch): number[] {
    let at = 0;
    return Array.from(lengths, (length, place) => {
      const key = keys?.[place];
      const text = texts.subarray(at, at + length);
      at += length;
      const known = key === undefined ? undefined : this.#numbers.get(key);
      return known ?? this.#add(key, text, haveTime[place]!);
    });
  }

  /** The arrays of the shapes with these numbers, in this order. */
  finish(order: readonly number[]): NamedArrays {
    const startsBefore = startsOf(this.#lengths.array.subarray(0, this.#lengths.length));
    const starts = startsOf(Uint32Array.from(order, (number) => this.#lengths.array[number]!));
    const texts = sharedBytes(starts.at(-1)!);
    for (const [place, number] of order.entries()) {
      const [from, to] = [startsBefore[number]!, startsBefore[number + 1]!];
      texts.set(this.#texts.array.subarray(from, to), starts[place]!);
    }
    return {
      'rows.shapes': texts,
      'rows.shape-starts': starts,
      'rows.shape-has-time': Uint8Array.from(order, (number) => this.#haveTime.array[number]!),
    };
  }

  /** Returns the memory of the shapes. */
  clear(): void {
    const maps = [this.#numbers, this.#numbersOfTexts];
    for (const part of [...maps, this.#texts, this.#lengths, this.#haveTime]) part.clear();
    this.#keys = [];
  }

  #add(key: string | undefined, text: Uint8Array, hasTime: number): number {
    const digest = hash('sha256', text, 'binary');
    const known = this.#numbersOfTexts.get(digest);
    const number = known ?? this.#numbersOfTexts.size;
    if (key !== undefined) this.#numbers.set(key, number);
    if (known !== undefined) return known;
    this.#numbersOfTexts.set(digest, number);
    if (key !== undefined) this.#keys.push(key);
    this.#texts.pushAll(text);
    this.#lengths.push(text.length);
    this.#haveTime.push(hasTime);
    return number;
  }
}
