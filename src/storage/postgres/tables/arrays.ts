/**
 * Values as PostgreSQL can store them. Arrays are in its binary form: a text of JSON needs no escapes
 * in it. https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES
 */

/** The types of elements, by their numbers in `pg_type`. */
const BYTEA = 17;
const BIGINT = 20;
const TEXT = 25;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

export function textArray(values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  return arrayOf(TEXT, lengths, (array, at, index) => array.write(values[index] ?? '', at));
}

export function bytesArray(values: readonly Uint8Array[]): Buffer {
  const lengths = values.map(({ length }) => length);
  return arrayOf(BYTEA, lengths, (array, at, index) => array.set(values[index] ?? [], at));
}

export function bigintArray(values: readonly number[]): Buffer {
  const lengths = values.map(() => 8);
  return arrayOf(BIGINT, lengths, (array, at, index) =>
    array.writeBigInt64BE(BigInt(values[index] ?? 0), at),
  );
}

function arrayOf(
  elementType: number,
  lengths: readonly number[],
  write: (array: Buffer, at: number, index: number) => void,
): Buffer {
  const bytes = lengths.reduce((sum, length) => sum + LENGTH_BYTES + length, HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  array.writeInt32BE(1, 0); // dimensions
  array.writeInt32BE(0, 4); // no NULL
  array.writeInt32BE(elementType, 8);
  array.writeInt32BE(lengths.length, 12);
  array.writeInt32BE(1, 16); // the first index
  let at = HEADER_BYTES;
  for (const [index, length] of lengths.entries()) {
    array.writeInt32BE(length, at);
    write(array, at + LENGTH_BYTES, index);
    at += LENGTH_BYTES + length;
  }
  return array;
}

export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** JSON without the escapes that `jsonb` refuses. */
export function storableJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return JSON.stringify(
    JSON.parse(json, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part)),
  );
}
