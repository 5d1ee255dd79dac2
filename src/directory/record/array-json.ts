/** JSON values as arrays of bytes. */

import { bytesNamed } from '../index/array-named.ts';
import type { NamedArrays } from './arrays.ts';

export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The value from which `jsonBytes` made the array. */
export function jsonNamed<Value>(arrays: NamedArrays, name: string): Value {
  const { buffer, byteOffset, byteLength } = bytesNamed(arrays, name);
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString());
}
