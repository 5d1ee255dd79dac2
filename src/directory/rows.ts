/**
 * The records of an edition in compact form: each distinct shape once, and each row's own values.
 *
 * Two records have the same shape when they differ in text only: the same fields present, the same
 * roles with the same status, the same kinds of period. What a record would be in JSON or XML is
 * then the same text around different values, which `templates.ts` uses. Nothing that is stored
 * depends on a setting.
 *
 * Arrays: `rows.shapes` (the JSON of each shape), `rows.shape-starts` (shape → its start there, one
 * more than shapes), `rows.shape-has-time` (shape → 1 where the last change has a time of day),
 * `rows.shape` (row → shape), `rows.offsets` (row → start in `rows.values`, one
 * more than rows), `rows.values` (per value its length in bytes as LEB128, then UTF-8),
 * `rows.hashes` (row → two words of `recordHash`).
 */
import type { NamedArrays } from './arrays.ts';
import { recordHash } from './difference.ts';
import type { OrganizationRecord } from './record.ts';

/** A record whose texts are replaced by markers; the marker of value n is `SLOT_OPEN n SLOT_CLOSE`. */
export type Shape = OrganizationRecord;

/** Private-use characters: they pass through JSON and XML encoders as they are. */
const SLOT_OPEN = '\uE000';
const SLOT_CLOSE = '\uE001';

/** Finds markers; the first group is the number of the value. */
export const SLOT_PATTERN = /\uE000(\d+)\uE001/g;

/** The value that is the organisation code. */
const CODE_SLOT = 0;
/** The date of the last change; where it has a time, that is the next value. */
const LAST_UPDATED_SLOT = 1;

export interface Rows {
  readonly count: number;
  readonly shapeCount: number;
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

/** Collects records in any order; `finish` numbers those that are wanted. */
export class RowsBuilder {
  readonly #shapeNumbers = new Map<string, number>();
  readonly #shapeOf = new Growing(Uint32Array, 1 << 12);
  readonly #offsets = new Growing(Float64Array, 1 << 12);
  readonly #hashes = new Growing(Uint32Array, 1 << 13);
  readonly #values = new Growing(Uint8Array, 1 << 16);

  get count(): number {
    return this.#shapeOf.length;
  }

  /** Adds a record; the answer is its ordinal, from 0. */
  add(record: OrganizationRecord): number {
    const ordinal = this.count;
    const { shape, values } = splitRecord(record);
    const key = JSON.stringify(shape);
    let shapeNumber = this.#shapeNumbers.get(key);
    if (shapeNumber === undefined) {
      shapeNumber = this.#shapeNumbers.size;
      this.#shapeNumbers.set(key, shapeNumber);
    }
    this.#shapeOf.push(shapeNumber);
    this.#offsets.push(this.#values.length);
    const [high, low] = recordHash(record);
    this.#hashes.push(high);
    this.#hashes.push(low);
    for (const value of values) this.#pushValue(value);
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
    if (length > MAX_VALUES_BYTES) {
      throw new RangeError(`an edition holds at most ${MAX_VALUES_BYTES} bytes of text`);
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

/** Opens the arrays that `RowsBuilder.finish` made. */
export function openRows(arrays: NamedArrays): Rows {
  const shapeBytes = bytesOf(arrays['rows.shapes']!);
  const shapeStarts = arrays['rows.shape-starts']!;
  const shapeHasTime = arrays['rows.shape-has-time']!;
  const shapeAt = (number: number): Shape =>
    JSON.parse(shapeBytes.toString('utf8', shapeStarts[number], shapeStarts[number + 1]));
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
  const hashes = arrays['rows.hashes'];
  if (!(hashes instanceof Uint32Array)) throw new TypeError('rows.hashes must be 32-bit words');
  const values = arrays['rows.values'];
  if (!(values instanceof Uint8Array)) throw new TypeError('rows.values must be bytes');
  const text = bytesOf(values);

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

/** 0xffffffff: offsets are 32-bit words. */
const MAX_VALUES_BYTES = 0xffff_ffff;

/** Values are at most 64 KiB of text, up to 196,608 bytes: three bytes of LEB128. */
const LENGTH_BYTES_MAX = 3;

/** Shapes that a whole pass over the records meets again and again; few have more in all. */
const PARSED_SHAPES_MAX = 65_536;

const encoder = new TextEncoder();

/** The shape of a record, and its texts in the order of their slots. */
function splitRecord(record: OrganizationRecord): { shape: Shape; values: string[] } {
  const values: string[] = [];
  const slot = (text: string): string => {
    values.push(text);
    return `${SLOT_OPEN}${values.length - 1}${SLOT_CLOSE}`;
  };
  const optional = <K extends string>(key: K, text: string | undefined) =>
    (text === undefined ? {} : { [key]: slot(text) }) as { [key in K]?: string };
  const periods = (list: OrganizationRecord['periods']) =>
    list.map(({ kind, start, end }) => ({ kind, start: slot(start), ...optional('end', end) }));

  // The first two calls give CODE_SLOT and LAST_UPDATED_SLOT.
  const code = slot(record.code);
  const [date = '', time] = record.lastUpdated.split('T');
  const lastUpdated = time === undefined ? slot(date) : `${slot(date)}T${slot(time)}`;
  const { address, recordClass } = record;
  const shape: Shape = {
    code,
    ...optional('name', record.name),
    isActive: record.isActive,
    lastUpdated,
    ...(recordClass === undefined ? {} : { recordClass }),
    periods: periods(record.periods),
    roles: record.roles.map((role) => ({ ...role, periods: periods(role.periods) })),
    telecoms: record.telecoms.map(({ system, value }) => ({ system, value: slot(value) })),
    ...(address === undefined
      ? {}
      : {
          address: {
            lines: address.lines.map(slot),
            ...optional('city', address.city),
            ...optional('district', address.district),
            ...optional('postalCode', address.postalCode),
            ...optional('country', address.country),
            ...optional('uprn', address.uprn),
          },
        }),
  };
  return { shape, values };
}

/** A deep copy of the shape with each marker replaced by its value. */
function fillShape(shape: Shape, values: readonly string[]): OrganizationRecord {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') {
      return part.replace(SLOT_PATTERN, (_, slot: string) => values[Number(slot)] ?? '');
    }
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, fill(value)]));
  };
  return fill(shape) as OrganizationRecord;
}

/** Writes the length as LEB128 at a position and answers where the value starts. */
function writeLength(target: Uint8Array, position: number, length: number): number {
  let rest = length;
  let at = position;
  while (rest > 0x7f) {
    target[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}

/** Reads a length written as LEB128. */
export function readLength(bytes: Uint8Array, position: number): number {
  const first = bytes[position]!;
  if (first < 0x80) return first;
  const second = bytes[position + 1]!;
  if (second < 0x80) return (first & 0x7f) | (second << 7);
  return (first & 0x7f) | ((second & 0x7f) << 7) | (bytes[position + 2]! << 14);
}

/** How many bytes `readLength` reads for a length. */
export function lengthBytes(length: number): number {
  return length < 0x80 ? 1 : length < 0x4000 ? 2 : 3;
}

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

function bytesOf(array: NamedArrays[string]): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

type GrowingArray = Uint8Array | Uint32Array | Float64Array;

/** An array of numbers that doubles when it is full. */
class Growing<T extends GrowingArray> {
  array: T;
  length = 0;
  readonly #make: new (
    length: number,
  ) => T;

  constructor(make: new (length: number) => T, capacity: number) {
    this.#make = make;
    this.array = new make(capacity);
  }

  push(value: number): void {
    this.reserve(1)[this.length++] = value;
  }

  /** The array, with room for so many more. */
  reserve(more: number): T {
    if (this.length + more > this.array.length) {
      const grown = new this.#make(Math.max(this.length + more, this.array.length * 2));
      grown.set(this.array);
      this.array = grown;
    }
    return this.array;
  }
}
