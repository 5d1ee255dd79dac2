/** The first 64 bits of the SHA-256 of some data, as two numbers of 32 bits. */
import { hash } from 'node:crypto';

/** The two halves of a hash of 64 bits. */
export type Hash64 = readonly [number, number];

export function hash64(data: string | Uint8Array): Hash64 {
  // One character for each byte: a buffer would take twice as long.
  const digest = hash('sha256', data, 'binary');
  return [wordAt(digest, 0), wordAt(digest, 4)];
}

/** The little-endian number of four bytes. */
function wordAt(bytes: string, at: number): number {
  const byte = (offset: number) => bytes.charCodeAt(at + offset);
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
}
