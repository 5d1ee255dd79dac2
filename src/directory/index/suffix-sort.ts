/** Sorts the suffixes of ended texts: a radix pass over two bytes, then quicksort by four. */

import { TEXT_END } from './text-list.ts';

/** Below this, insertion sort is faster than another partition (tried: 8 to 24 are alike). */
const INSERTION_MAX = 12;
/** From this many on, the pivot is the median of nine. */
const NINTHER_MIN = 1024;
/** The bytes that one key holds, compared at once. */
const KEY_BYTES = 4;
const BUCKETS = 1 << 16;
/** The key of a suffix that has ended: nothing is left to compare. */
const ENDED = 0xffff_ffff;

/**
 * The positions in `text` at which a suffix starts, in the order of the suffixes. Every suffix runs
 * to its TEXT_END, and equal ones stand in any, but always the same, order. `wanted` says which
 * positions take part: bytes of 1 over the whole of `text`.
 */
export function sortSuffixes(text: Uint8Array, wanted: Uint8Array): Uint32Array {
  const padded = new Uint8Array(text.length + 2 * KEY_BYTES).fill(TEXT_END);
  padded.set(text);
  const { positions, bucketEnds } = scatter(padded, wanted);
  const sorter = createSorter(padded, positions, largestBucket(bucketEnds));
  let from = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const to = bucketEnds[bucket]!;
    // A bucket whose second byte ends the text holds equal suffixes only.
    if (to - from > 1 && (bucket & 0xff) !== TEXT_END) sorter(from, to);
    from = to;
  }
  return positions;
}

function bucketOf(text: Uint8Array, position: number): number {
  const first = text[position]!;
  return first === TEXT_END ? BUCKETS - 1 : (first << 8) | text[position + 1]!;
}

function scatter(text: Uint8Array, wanted: Uint8Array) {
  const bucketEnds = new Uint32Array(BUCKETS);
  let count = 0;
  for (let position = 0; position < wanted.length; position++) {
    if (wanted[position] === 0) continue;
    bucketEnds[bucketOf(text, position)]!++;
    count++;
  }
  let start = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const size = bucketEnds[bucket]!;
    bucketEnds[bucket] = start;
    start += size;
  }
  const positions = new Uint32Array(count);
  for (let position = 0; position < wanted.length; position++) {
    if (wanted[position] === 0) continue;
    positions[bucketEnds[bucketOf(text, position)]!++] = position;
  }
  return { positions, bucketEnds };
}

function largestBucket(bucketEnds: Uint32Array): number {
  let largest = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    largest = Math.max(largest, bucketEnds[bucket]! - (bucketEnds[bucket - 1] ?? 0));
  }
  return largest;
}

/** Four bytes from `position` on as a number; what follows a TEXT_END reads as TEXT_END. */
function keyAt(view: DataView, position: number): number {
  const key = view.getUint32(position);
  // Of ASCII alone: no byte can be the end.
  if ((key & 0x8080_8080) === 0) return key;
  if (key >>> 24 === TEXT_END) return ENDED;
  if (((key >>> 16) & 0xff) === TEXT_END) return (key | 0x00ff_ffff) >>> 0;
  if (((key >>> 8) & 0xff) === TEXT_END) return (key | 0x0000_ffff) >>> 0;
  return key;
}

/** Sorts the positions of one bucket, whose first two bytes are equal. */
function createSorter(text: Uint8Array, positions: Uint32Array, sizeMax: number) {
  const view = new DataView(text.buffer);
  const keys = new Uint32Array(sizeMax);
  // An explicit stack: long equal texts go deeper than the call stack would.
  const stack: number[] = [];
  let base = 0;

  const swap = (a: number, b: number) => {
    const key = keys[a]!;
    keys[a] = keys[b]!;
    keys[b] = key;
    const position = positions[base + a]!;
    positions[base + a] = positions[base + b]!;
    positions[base + b] = position;
  };

  /** The median of three keys. */
  const medianOf = (a: number, b: number, c: number): number => {
    const x = keys[a]!;
    const y = keys[b]!;
    return Math.max(Math.min(x, y), Math.min(Math.max(x, y), keys[c]!));
  };

  const pivotOf = (from: number, to: number): number => {
    const size = to - from;
    const middle = from + (size >>> 1);
    if (size < NINTHER_MIN) return medianOf(from, middle, to - 1);
    const step = size >>> 3;
    const a = medianOf(from, from + step, from + 2 * step);
    const b = medianOf(middle - step, middle, middle + step);
    const c = medianOf(to - 1 - 2 * step, to - 1 - step, to - 1);
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  };

  /** Whether the suffix at `a` comes before the one at `b`, which agree on `depth` bytes. */
  const precedes = (a: number, b: number, depth: number): boolean => {
    for (let at = depth; ; at += KEY_BYTES) {
      const x = keyAt(view, a + at);
      const y = keyAt(view, b + at);
      if (x !== y) return x < y;
      if ((x & 0xff) === TEXT_END) return false;
    }
  };

  const insertionSort = (from: number, to: number, depth: number) => {
    for (let i = from + 1; i < to; i++) {
      const key = keys[i]!;
      const position = positions[base + i]!;
      let at = i;
      for (; at > from; at--) {
        const other = keys[at - 1]!;
        if (other < key) break;
        if (
          other === key &&
          ((key & 0xff) === TEXT_END ||
            !precedes(position, positions[base + at - 1]!, depth + KEY_BYTES))
        ) {
          break;
        }
        keys[at] = other;
        positions[base + at] = positions[base + at - 1]!;
      }
      keys[at] = key;
      positions[base + at] = position;
    }
  };

  return (bucketFrom: number, bucketTo: number) => {
    base = bucketFrom;
    // Each entry: from, to, depth; a depth below zero says that the keys must be read first.
    stack.push(0, bucketTo - bucketFrom, ~2);
    while (stack.length > 0) {
      let depth = stack.pop()!;
      const to = stack.pop()!;
      const from = stack.pop()!;
      if (depth < 0) {
        depth = ~depth;
        for (let i = from; i < to; i++) keys[i] = keyAt(view, positions[base + i]! + depth);
      }
      if (to - from <= INSERTION_MAX) {
        insertionSort(from, to, depth);
        continue;
      }
      const pivot = pivotOf(from, to);
      let less = from;
      let greater = to;
      for (let i = from; i < greater; ) {
        const key = keys[i]!;
        if (key < pivot) swap(i++, less++);
        else if (key > pivot) swap(i, --greater);
        else i++;
      }
      if (greater - less > 1 && (pivot & 0xff) !== TEXT_END) {
        stack.push(less, greater, ~(depth + KEY_BYTES));
      }
      if (less - from > 1) stack.push(from, less, depth);
      if (to - greater > 1) stack.push(greater, to, depth);
    }
  };
}
