/** Organisation codes: row → code, and code → row through a hash table. */

import { bytesNamed, wordsNamed } from '../../arrays/array-named.ts';
import { bufferOf, type NamedArrays } from '../../arrays/arrays.ts';
import type { TextList } from '../../arrays/text-list.ts';

export interface CodeTable {
  readonly count: number;
  codeOf(row: number): string;
  /** All codes, by row, for callers that copy bytes. */
  readonly texts: TextList;
  /** The row of exactly this code. */
  rowOf(code: string): number | undefined;
  /** The rows of the codes that are equal to this one if case is ignored. */
  rowsOfAnyCase(code: string): number[];
}

/** The largest share of slots in use. A look-up then reads two slots on average. */
const LOAD_MAX = 0.75;
const SLOTS_MIN = 4;

/** A slot holds a row + 1, or 0. Codes that differ only by case have the same hash. */
export function buildCodeTable(prefix: string, codes: TextList): NamedArrays {
  const count = codes.starts.length - 1;
  let slotCount = SLOTS_MIN;
  while (slotCount * LOAD_MAX < count) slotCount *= 2;
  const slots = new Uint32Array(slotCount);
  for (let row = 0; row < count; row++) {
    let hash = HASH_SEED;
    for (let i = codes.starts[row]!; i < codes.starts[row + 1]!; i++) {
      hash = hashByte(hash, codes.bytes[i]!);
    }
    let slot = finishHash(hash) & (slotCount - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    slots[slot] = row + 1;
  }
  return {
    [`${prefix}.text`]: codes.bytes,
    [`${prefix}.starts`]: codes.starts,
    [`${prefix}.slots`]: slots,
  };
}

export function openCodeTable(prefix: string, arrays: NamedArrays): CodeTable {
  const bytes = bytesNamed(arrays, `${prefix}.text`);
  const starts = wordsNamed(arrays, `${prefix}.starts`);
  const slots = wordsNamed(arrays, `${prefix}.slots`);
  const mask = slots.length - 1;
  const buffer = bufferOf(bytes);

  return {
    count: starts.length - 1,
    texts: { bytes, starts },
    codeOf: (row) => buffer.toString('latin1', starts[row]!, starts[row + 1]!),
    rowOf(code) {
      for (let slot = hashCode(code) & mask; ; slot = (slot + 1) & mask) {
        const entry = slots[slot]!;
        if (entry === 0) return undefined;
        const start = starts[entry - 1]!;
        if (starts[entry]! - start === code.length && isCodeAt(bytes, start, code)) {
          return entry - 1;
        }
      }
    },
    rowsOfAnyCase(code) {
      const rows: number[] = [];
      for (let slot = hashCode(code) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const row = slots[slot]! - 1;
        const start = starts[row]!;
        if (starts[row + 1]! - start === code.length && isCodeOfAnyCaseAt(bytes, start, code)) {
          rows.push(row);
        }
      }
      return rows;
    },
  };
}

function isCodeAt(bytes: Uint8Array, start: number, code: string): boolean {
  for (let i = 0; i < code.length; i++) {
    if (bytes[start + i] !== code.charCodeAt(i)) return false;
  }
  return true;
}

function isCodeOfAnyCaseAt(bytes: Uint8Array, start: number, code: string): boolean {
  for (let i = 0; i < code.length; i++) {
    const byte = bytes[start + i]!;
    const unit = code.charCodeAt(i);
    if (byte !== unit && (byte < FIRST_LETTER || (byte ^ unit) !== CASE_BIT)) return false;
  }
  return true;
}

/** `A`. The bytes of a code before it are digits, which have no case. */
const FIRST_LETTER = 0x41;
/** The bit in which the two cases of an ASCII letter differ. */
const CASE_BIT = 0x20;
const HASH_SEED = 0x811c9dc5;

function hashCode(code: string): number {
  let hash = HASH_SEED;
  for (let i = 0; i < code.length; i++) hash = hashByte(hash, code.charCodeAt(i));
  return finishHash(hash);
}

/** FNV-1a of the code, ignoring case. */
function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ withoutCase(byte), 0x01000193);
}

/** Maps lower case to upper case, and digits to bytes that no letter has. */
function withoutCase(byte: number): number {
  return byte & ~CASE_BIT;
}

/** Mixes the high bits into the low bits, which choose the slot. */
function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
