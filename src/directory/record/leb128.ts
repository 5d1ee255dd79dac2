/** Lengths as LEB128: seven bits in each byte, the lowest first. */

/** Values are at most 64 KiB of text, which is up to 196,608 bytes: three bytes of LEB128. */
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
