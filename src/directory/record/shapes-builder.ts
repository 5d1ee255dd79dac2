/** Collects the different shapes of records, and numbers them from 0. */
import { type NamedArrays, sharedBytes } from './arrays.ts';
import { GrowingArray } from './growing-array.ts';
import type { OrganizationRecord } from './record.ts';
import type { ShapesBatch } from './record-batches.ts';
import { shapeKey } from './record-texts.ts';
import type { Rows } from './rows.ts';
import { type Shape, shapeOf } from './shape.ts';

export class ShapesBuilder {
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

const encoder = new TextEncoder();

function hasTime({ lastUpdated }: Shape): number {
  return lastUpdated.includes('T') ? 1 : 0;
}
