/** Builds the rows of an edition from records, and numbers their shapes. */

import { recordHash } from '../edition/difference.ts';
import { type NamedArrays, sharedBytes } from './arrays.ts';
import { GrowingArray } from './growing-array.ts';
import type { OrganizationRecord } from './record.ts';
import type { RowsBatch, ShapesBatch } from './record-batches.ts';
import { LENGTH_BYTES_MAX, type Rows, writeLength } from './rows.ts';
import { type Shape, shapeKey, shapeOf, writeTexts } from './shape.ts';

/** Collects records in any order; `finish` makes rows of the wanted ones. */
export class RowsBuilder {
  readonly #shapes = new ShapesBuilder();
  /** The numbers in this builder for the shapes of kept rows and of other builders. */
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
    this.#shapeOf.push(this.#shapes.numberOf(record));
    this.#offsets.push(this.#values.length);
    const [high, low] = recordHash(record);
    this.#hashes.push(high);
    this.#hashes.push(low);
    writeTexts(record, this.#pushText);
    return ordinal;
  }

  /** Adds a row of an edition without decoding it. */
  keep(rows: Rows, row: number): number {
    const ordinal = this.count;
    const kept = this.#shapesOf(rows);
    const shape = rows.shapeOf(row);
    kept[shape] ??= this.#shapes.numberOfKept(rows, shape);
    this.#shapeOf.push(kept[shape]);
    this.#offsets.push(this.#values.length);
    this.#hashes.push(rows.hashes[2 * row]!);
    this.#hashes.push(rows.hashes[2 * row + 1]!);
    this.#values.pushAll(rows.values.subarray(rows.startOf(row), rows.endOf(row)));
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
    const numbers = this.#shapesOf(from);
    for (const number of this.#shapes.append(shapes)) numbers.push(number);
    for (const shape of shapeOf) this.#shapeOf.push(numbers[shape]!);
    const start = this.#values.length;
    for (const offset of offsets) this.#offsets.push(start + offset);
    this.#hashes.pushAll(hashes);
    this.#values.pushAll(values);
  }

  /** The arrays of the wanted ordinals, which become rows 0, 1, … in the order given. */
  finish(ordinals: Uint32Array): NamedArrays {
    const count = ordinals.length;
    const shape = new Uint32Array(count);
    const offsets = new Uint32Array(count + 1);
    const hashes = new Uint32Array(count * 2);
    const lengthOf = (ordinal: number) => this.#endOf(ordinal) - this.#offsets.array[ordinal]!;
    let length = 0;
    for (const ordinal of ordinals) length += lengthOf(ordinal);
    if (length > VALUES_BYTES_MAX) {
      throw new RangeError(`an edition holds at most ${VALUES_BYTES_MAX} bytes of text`);
    }
    const values = sharedBytes(length);
    let position = 0;
    ordinals.forEach((ordinal, row) => {
      const start = this.#offsets.array[ordinal]!;
      const end = this.#endOf(ordinal);
      shape[row] = this.#shapeOf.array[ordinal]!;
      offsets[row] = position;
      hashes[row * 2] = this.#hashes.array[ordinal * 2]!;
      hashes[row * 2 + 1] = this.#hashes.array[ordinal * 2 + 1]!;
      values.set(this.#values.array.subarray(start, end), position);
      position += end - start;
    });
    offsets[count] = position;
    return {
      ...this.#shapes.finish(),
      'rows.shape': shape,
      'rows.offsets': offsets,
      'rows.values': values,
      'rows.hashes': hashes,
    };
  }

  /** Returns the memory of the rows. */
  clear(): void {
    this.#shapes.clear();
    this.#shapeOf.clear();
    this.#offsets.clear();
    this.#hashes.clear();
    this.#values.clear();
  }

  #shapesOf(from: object): number[] {
    const known = this.#shapesFrom.get(from) ?? [];
    this.#shapesFrom.set(from, known);
    return known;
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

/** 0xffffffff: offsets are 32-bit words. */
const VALUES_BYTES_MAX = 0xffff_ffff;

/** The longest length that fits into one byte of LEB128. */
const SHORT_LENGTH_MAX = 0x7f;

const encoder = new TextEncoder();

/** Collects the different shapes of records, and numbers them from 0. */
class ShapesBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #texts = new GrowingArray(Uint8Array, 1 << 12);
  readonly #lengths = new GrowingArray(Uint32Array, 1 << 6);
  readonly #haveTime = new GrowingArray(Uint8Array, 1 << 6);
  #keys: string[] = [];

  numberOf(record: OrganizationRecord): number {
    const key = shapeKey(record);
    return this.#numbers.get(key) ?? this.#addShape(key, shapeOf(record));
  }

  /** The number in this builder for a shape of an edition. */
  numberOfKept(rows: Rows, shape: number): number {
    const kept = rows.shapeAt(shape);
    const text = rows.shapeText(shape);
    // An earlier version of the program may have numbered the texts in another order.
    const key = JSON.stringify(shapeOf(kept)) === text ? shapeKey(kept) : text;
    const known = this.#numbers.get(key);
    return known ?? this.#add(key, encoder.encode(text), hasTime(kept));
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
    return keys.map((key, place) => {
      const text = texts.subarray(at, at + lengths[place]!);
      at += text.length;
      return this.#numbers.get(key) ?? this.#add(key, text, haveTime[place]!);
    });
  }

  finish(): NamedArrays {
    const lengths = this.#lengths.array.subarray(0, this.#lengths.length);
    const starts = new Uint32Array(lengths.length + 1);
    lengths.forEach((length, number) => {
      starts[number + 1] = starts[number]! + length;
    });
    const texts = sharedBytes(this.#texts.length);
    texts.set(this.#texts.array.subarray(0, this.#texts.length));
    return {
      'rows.shapes': texts,
      'rows.shape-starts': starts,
      'rows.shape-has-time': this.#haveTime.array.slice(0, this.#haveTime.length),
    };
  }

  /** Returns the memory of the shapes. */
  clear(): void {
    this.#numbers.clear();
    this.#texts.clear();
    this.#lengths.clear();
    this.#haveTime.clear();
    this.#keys = [];
  }

  #addShape(key: string, shape: Shape): number {
    return this.#add(key, encoder.encode(JSON.stringify(shape)), hasTime(shape));
  }

  #add(key: string, text: Uint8Array, time: number): number {
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#keys.push(key);
    this.#texts.pushAll(text);
    this.#lengths.push(text.length);
    this.#haveTime.push(time);
    return number;
  }
}

function hasTime({ lastUpdated }: Shape): number {
  return lastUpdated.includes('T') ? 1 : 0;
}
