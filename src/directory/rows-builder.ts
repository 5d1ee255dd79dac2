/** Builds the rows of an edition from records. */
import type { NamedArrays } from './arrays.ts';
import { recordHash } from './difference.ts';
import { GrowingArray } from './growing-array.ts';
import { LENGTH_BYTES_MAX, writeLength } from './leb128.ts';
import type { OrganizationRecord } from './record.ts';
import type { Rows } from './rows.ts';
import { type Shape, splitRecord } from './shape.ts';

/** Collects records in any order; `finish` makes rows of the wanted ones. */
export class RowsBuilder {
  readonly #shapeNumbers = new Map<string, number>();
  /** The numbers here of the shapes of rows that were kept. */
  readonly #keptShapes = new Map<Rows, number[]>();
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
    const { shape, values } = splitRecord(record);
    this.#shapeOf.push(this.#shapeNumber(JSON.stringify(shape)));
    this.#offsets.push(this.#values.length);
    const [high, low] = recordHash(record);
    this.#hashes.push(high);
    this.#hashes.push(low);
    for (const value of values) this.#pushValue(value);
    return ordinal;
  }

  /** Adds a row of an edition without decoding it. */
  keep(rows: Rows, row: number): number {
    const ordinal = this.count;
    const kept = this.#keptShapes.get(rows) ?? [];
    this.#keptShapes.set(rows, kept);
    const shape = rows.shapeOf(row);
    kept[shape] ??= this.#shapeNumber(rows.shapeText(shape));
    this.#shapeOf.push(kept[shape]);
    this.#offsets.push(this.#values.length);
    this.#hashes.push(rows.hashes[2 * row]!);
    this.#hashes.push(rows.hashes[2 * row + 1]!);
    const values = rows.values.subarray(rows.startOf(row), rows.endOf(row));
    this.#values.reserve(values.length).set(values, this.#values.length);
    this.#values.length += values.length;
    return ordinal;
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
    const values = new Uint8Array(length);
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
      ...shapeArrays([...this.#shapeNumbers.keys()]),
      'rows.shape': shape,
      'rows.offsets': offsets,
      'rows.values': values,
      'rows.hashes': hashes,
    };
  }

  #shapeNumber(text: string): number {
    const number = this.#shapeNumbers.get(text) ?? this.#shapeNumbers.size;
    this.#shapeNumbers.set(text, number);
    return number;
  }

  #endOf(ordinal: number): number {
    return ordinal + 1 < this.count ? this.#offsets.array[ordinal + 1]! : this.#values.length;
  }

  #pushValue(text: string): void {
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

const encoder = new TextEncoder();

function shapeArrays(texts: readonly string[]): NamedArrays {
  const encoded = texts.map((text) => encoder.encode(text));
  const starts = new Uint32Array(encoded.length + 1);
  encoded.forEach((bytes, number) => {
    starts[number + 1] = starts[number]! + bytes.length;
  });
  return {
    'rows.shapes': Buffer.concat(encoded),
    'rows.shape-starts': starts,
    'rows.shape-has-time': Uint8Array.from(texts, (text) => {
      const { lastUpdated }: Shape = JSON.parse(text);
      return lastUpdated.includes('T') ? 1 : 0;
    }),
  };
}
