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
