/** Reads arrays by name, as the type they were built with. */

import { bufferOf, type NamedArrays, type NumberArray } from './arrays.ts';

export const bytesNamed = readerOf(Uint8Array);
export const wordsNamed = readerOf(Uint32Array);
export const doublesNamed = readerOf(Float64Array);

function readerOf<T extends NumberArray>(type: { new (length: number): T; readonly name: string }) {
  return (arrays: NamedArrays, name: string): T => {
    const array = arrays[name];
    if (array instanceof type) return array;
    throw wrongType(name, type.name, array);
  };
}

/** Whole numbers, in the narrowest type that could hold all of them when they were built. */
export type Offsets = Uint8Array | Uint16Array | Uint32Array;

export function offsetsNamed(arrays: NamedArrays, name: string): Offsets {
  const array = arrays[name];
  if (array !== undefined && !(array instanceof Float64Array)) return array;
  throw wrongType(name, 'Uint8Array, Uint16Array or Uint32Array', array);
}

export function createOffsets(length: number, largest: number): Offsets {
  if (largest < 1 << 8) return new Uint8Array(length);
  if (largest < 1 << 16) return new Uint16Array(length);
  return new Uint32Array(length);
}

function wrongType(name: string, expected: string, array: NumberArray | undefined): Error {
  const found = array === undefined ? 'missing' : array.constructor.name;
  return new Error(`The index array ${name} is ${found}, not ${expected}: build the index again.`);
}

/** JSON values as arrays of bytes. */
export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The value from which `jsonBytes` made the array. */
export function jsonNamed<Value>(arrays: NamedArrays, name: string): Value {
  return JSON.parse(bufferOf(bytesNamed(arrays, name)).toString());
}
