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
import type { OrganizationRecord } from './record.ts';
import { CODE_SLOT, fillShape, LAST_UPDATED_SLOT, type Shape } from './shape.ts';

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
  const parsedShapes = new Map<number, Shape>();
  const parsedShapeAt = (number: number): Shape => {
    const known = parsedShapes.get(number);
    if (known !== undefined) return known;
    const parsed = shapeAt(number);
    if (parsedShapes.size >= PARSED_SHAPES_MAX) parsedShapes.clear();
    parsedShapes.set(number, parsed);
    return parsed;
  };
  const shape = arrays['rows.shape']!;
  const offsets = arrays['rows.offsets']!;
  const hashes = wordsNamed(arrays, 'rows.hashes');
  const values = bytesNamed(arrays, 'rows.values');
  const text = bufferOf(values);

  const valuesOf = (row: number): string[] => {
    const found: string[] = [];
    const end = offsets[row + 1]!;
    let position = offsets[row]!;
    while (position < end) {
      const length = readLength(values, position);
      position += lengthBytes(length);
      found.push(text.toString('utf8', position, position + length));
      position += length;
    }
    return found;
  };

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
    recordAt: (row) => fillShape(parsedShapeAt(shape[row]!), valuesOf(row)),
  };
}

/** Reads for a row what all rows of its shape share, once for each shape. */
export function perShape<T extends string | number | boolean>(
  rows: Rows,
  read: (shape: Shape) => T,
): (row: number) => T {
  const known: T[] = [];
  return (row) => {
    const shape = rows.shapeOf(row);
    known[shape] ??= read(rows.shapeAt(shape));
    return known[shape];
  };
}

/**
 * About 5 MB. Few shapes have most rows, so keeping all shapes of a large edition would save only a
 * fifth of a second when all its records are read in their order.
 */
const PARSED_SHAPES_MAX = 4096;

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
