/**
 * The records of an edition in compact form: each distinct shape once, and each row's own values.
 *
 * A record in JSON or XML is the text of its shape around its values, which `templates.ts` uses.
 * The stored data does not depend on settings.
 *
 * Arrays: `rows.shapes` (the JSON of each shape), `rows.shape-starts` (shape → its start there, one
 * more than shapes), `rows.shape-has-time` (shape → 1 where the last change has a time of day),
 * `rows.shape` (row → shape), `rows.offsets` (row → start in `rows.values`, one
 * more than rows), `rows.values` (per value its length in bytes as LEB128, then UTF-8),
 * `rows.hashes` (row → two words of `recordHash`).
 */
import { bytesNamed, wordsNamed } from '../arrays/array-named.ts';
import { bufferOf, type NamedArrays } from '../arrays/arrays.ts';
import { keepValues } from '../arrays/kept-values.ts';
import type { OrganizationRecord } from './record.ts';
import { createReaderMaker, type RowTexts } from './record-reader.ts';
import { CODE_SLOT, LAST_UPDATED_SLOT, type Shape } from './shape.ts';

export interface Rows {
  readonly count: number;
  readonly shapeCount: number;
  /** The JSON of a shape. */
  shapeText(number: number): string;
  /** Parsed anew each time. */
  shapeAt(number: number): Shape;
  /** The number of the row's shape. */
  shapeOf(row: number): number;
  /** Where the row's values start and end in `values`. */
  startOf(row: number): number;
  endOf(row: number): number;
  readonly values: Uint8Array;
  codeOf(row: number): string;
  /** The value of a slot in the shape of the row. */
  textAt(row: number, slot: number): string;
  /** `lastUpdated` as the record has it: a date or an instant. */
  lastUpdatedOf(row: number): string;
  /** The two words of each row's `recordHash`, at 2·row and 2·row + 1. */
  readonly hashes: Uint32Array;
  recordAt(row: number): OrganizationRecord;
}

/** Opens the arrays that `RowsBuilder.finish` made, without a copy. */
export function openRows(arrays: NamedArrays): Rows {
  const shapeBytes = bufferOf(arrays['rows.shapes']!);
  const shapeStarts = arrays['rows.shape-starts']!;
  const shapeHasTime = arrays['rows.shape-has-time']!;
  const shapeText = (number: number) =>
    shapeBytes.toString('utf8', shapeStarts[number], shapeStarts[number + 1]);
  const shapeAt = (number: number): Shape => JSON.parse(shapeText(number));
  const makeReader = createReaderMaker();
  const readerOf = keepValues(READERS_MAX, (number: number) => makeReader(shapeAt(number)));
  const shape = arrays['rows.shape']!;
  const offsets = arrays['rows.offsets']!;
  const hashes = wordsNamed(arrays, 'rows.hashes');
  const values = bytesNamed(arrays, 'rows.values');
  const text = bufferOf(values);
  const texts = new ValueTexts(text);

  const textAt = (row: number, slot: number): string => {
    let position = offsets[row]!;
    let length = readLength(values, position);
    for (let skipped = 0; skipped < slot; skipped++) {
      position += lengthBytes(length) + length;
      length = readLength(values, position);
    }
    position += lengthBytes(length);
    return text.toString('utf8', position, position + length);
  };

  return {
    count: shape.length,
    shapeCount: shapeStarts.length - 1,
    shapeText,
    shapeAt,
    shapeOf: (row) => shape[row]!,
    startOf: (row) => offsets[row]!,
    endOf: (row) => offsets[row + 1]!,
    values,
    codeOf: (row) => textAt(row, CODE_SLOT),
    textAt,
    lastUpdatedOf: (row) => {
      const date = textAt(row, LAST_UPDATED_SLOT);
      const hasTime = shapeHasTime[shape[row]!] === 1;
      return hasTime ? `${date}T${textAt(row, LAST_UPDATED_SLOT + 1)}` : date;
    },
    hashes,
    recordAt: (row) => {
      texts.moveTo(offsets[row]!, offsets[row + 1]!);
      return readerOf(shape[row]!)(texts);
    },
  };
}

/** The texts of the values of a row, one after the other. */
class ValueTexts implements RowTexts {
  readonly #bytes: Buffer;
  #start = 0;
  #position = 0;
  #all = '';
  #isAscii = true;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * To the values from `start` to `end`. They are decoded at once: if all are ASCII, each byte is a
   * character, also those of lengths, and each text is a slice.
   */
  moveTo(start: number, end: number): void {
    this.#start = start;
    this.#position = start;
    this.#all = this.#bytes.toString('utf8', start, end);
    this.#isAscii = this.#all.length === end - start;
  }

  next(): string {
    const length = readLength(this.#bytes, this.#position);
    const start = this.#position + lengthBytes(length);
    const end = start + length;
    this.#position = end;
    if (!this.#isAscii) return this.#bytes.toString('utf8', start, end);
    return this.#all.slice(start - this.#start, end - this.#start);
  }
}

/**
 * Reads for a row what all rows of its shape share, once for each shape, from the record of one of
 * them.
 */
export function perShape<T extends string | number | boolean>(
  rows: Rows,
  read: (record: OrganizationRecord) => T,
): (row: number) => T {
  const known: T[] = [];
  return (row) => {
    const shape = rows.shapeOf(row);
    known[shape] ??= read(rows.recordAt(row));
    return known[shape];
  };
}

/**
 * A reader takes half a kilobyte. An edition of 120,000 records has 24,000 shapes: with a lower limit,
 * reading all its records would make readers of rare shapes again and again.
 */
const READERS_MAX = 16_384;

/**
 * Lengths are LEB128: seven bits in each byte, the lowest first. Values are at most 64 KiB of text,
 * which is up to 196,608 bytes: three bytes.
 */
export const LENGTH_BYTES_MAX = 3;

/** Writes a length at a position and returns the position after it. */
export function writeLength(target: Uint8Array, position: number, length: number): number {
  let rest = length;
  let at = position;
  while (rest > 0x7f) {
    target[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}

/** Reads the length at a position. */
export function readLength(bytes: Uint8Array, position: number): number {
  const first = bytes[position]!;
  if (first < 0x80) return first;
  const second = bytes[position + 1]!;
  if (second < 0x80) return (first & 0x7f) | (second << 7);
  return (first & 0x7f) | ((second & 0x7f) << 7) | (bytes[position + 2]! << 14);
}

/** The number of bytes that a length takes. */
export function lengthBytes(length: number): number {
  return length < 0x80 ? 1 : length < 0x4000 ? 2 : 3;
}
