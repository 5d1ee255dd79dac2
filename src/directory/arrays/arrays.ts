/** Named arrays of numbers: the form in which an edition's data is built, stored and shared. */

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Names are `kebab-case`, with dots between parts: `name.suffixes`. */
export type NamedArrays = Readonly<Record<string, NumberArray>>;

/** Arrays of zeros in shared memory, which threads read without a copy. */
export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

export function sharedWords(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT));
}

/** Whether both have the same type and the same bytes. */
export function areSameArrays(
  one: NumberArray | undefined,
  other: NumberArray | undefined,
): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return one.constructor === other.constructor && bufferOf(one).equals(bufferOf(other));
}

/** The bytes of an array, in the same memory. */
export function bufferOf({ buffer, byteOffset, byteLength }: NumberArray): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** The prefix of the arrays of the reference-only records of an edition. */
export const REFERENCES = 'references';

/** The same arrays with a prefix and a dot, so that an edition can have several of the same kind. */
export function withPrefix(prefix: string, arrays: NamedArrays): NamedArrays {
  return Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [`${prefix}.${name}`, array]),
  );
}

/** The arrays that have the prefix, without it. */
export function withoutPrefix(prefix: string, arrays: NamedArrays): NamedArrays {
  const found: Record<string, NumberArray> = {};
  const start = `${prefix}.`;
  for (const [name, array] of Object.entries(arrays)) {
    if (name.startsWith(start)) found[name.slice(start.length)] = array;
  }
  return found;
}
