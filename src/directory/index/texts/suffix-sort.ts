/** Sorts the suffixes of ended texts: a radix pass over two bytes, then quicksort by four. */

import { TEXT_END } from '../../arrays/text-list.ts';

/** Up to this size, insertion sort is faster than another partition. 8 to 24 make no difference. */
const INSERTION_MAX = 12;
/** From this size on, the pivot is the median of nine keys. */
const NINTHER_MIN = 1024;
/** The bytes of a key, which are compared at once. */
const KEY_BYTES = 4;
const BUCKETS = 1 << 16;
/** The key of a suffix that has ended. */
const ENDED = 0xffff_ffff;

/**
 * The positions in `text` at which a suffix starts, in the order of the suffixes. Each suffix ends
 * with its TEXT_END. Equal suffixes are in the order of their positions. `wanted` is as long as
 * `text`, and has a 1 for each position to sort.
 */
export function sortSuffixes(text: Uint8Array, wanted: Uint8Array): Uint32Array {
  if (text.length === 0) return new Uint32Array(0); // The passes over the buckets take 10 ms.
  const padded = new Uint8Array(text.length + 2 * KEY_BYTES).fill(TEXT_END);
  padded.set(text);
  const { positions, bucketEnds } = scatter(padded, wanted);
  const sortBucket = createSorter(padded, largestBucket(bucketEnds));
  let from = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const to = bucketEnds[bucket]!;
    // The suffixes of a bucket are equal if its second byte ends the text. They are in order.
    if (to - from > 1 && (bucket & 0xff) !== TEXT_END) sortBucket(positions.subarray(from, to));
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

/** Four bytes from `position` on as a number. Bytes after a TEXT_END count as TEXT_END. */
function keyAt(view: DataView, position: number): number {
  const key = view.getUint32(position);
  // Four bytes of ASCII: none of them is the end.
  if ((key & 0x8080_8080) === 0) return key;
  if (key >>> 24 === TEXT_END) return ENDED;
  if (((key >>> 16) & 0xff) === TEXT_END) return (key | 0x00ff_ffff) >>> 0;
  if (((key >>> 8) & 0xff) === TEXT_END) return (key | 0x0000_ffff) >>> 0;
  return key;
}

/**
 * A function that sorts the positions of one bucket, whose first two bytes are equal. Its working
 * memory serves buckets of `sizeMax` positions at most.
 */
function createSorter(text: Uint8Array, sizeMax: number): (positions: Uint32Array) => void {
  const view = new DataView(text.buffer);
  const keys = new Uint32Array(sizeMax);
  // An explicit stack, because long equal texts go deeper than the call stack allows. Each entry
  // has three numbers: from, to, depth. A negative depth means that the keys must be read first.
  const stack: number[] = [];
  return (positions) => {
    stack.push(0, positions.length, ~2);
    while (stack.length > 0) {
      let depth = stack.pop()!;
      const to = stack.pop()!;
      const from = stack.pop()!;
      if (depth < 0) {
        depth = ~depth;
        for (let i = from; i < to; i++) keys[i] = keyAt(view, positions[i]! + depth);
      }
      if (to - from <= INSERTION_MAX) {
        insertionSort(view, keys, positions, from, to, depth);
        continue;
      }
      const pivot = pivotOf(keys, from, to);
      let less = from;
      let greater = to;
      for (let i = from; i < greater; ) {
        const key = keys[i]!;
        if (key < pivot) swap(keys, positions, i++, less++);
        else if (key > pivot) swap(keys, positions, i, --greater);
        else i++;
      }
      if (greater - less > 1) {
        if ((pivot & 0xff) === TEXT_END) positions.subarray(less, greater).sort();
        else stack.push(less, greater, ~(depth + KEY_BYTES));
      }
      if (less - from > 1) stack.push(from, less, depth);
      if (to - greater > 1) stack.push(greater, to, depth);
    }
  };
}

function swap(keys: Uint32Array, positions: Uint32Array, a: number, b: number): void {
  const key = keys[a]!;
  keys[a] = keys[b]!;
  keys[b] = key;
  const position = positions[a]!;
  positions[a] = positions[b]!;
  positions[b] = position;
}

function pivotOf(keys: Uint32Array, from: number, to: number): number {
  const size = to - from;
  const middle = from + (size >>> 1);
  if (size < NINTHER_MIN) return medianOf(keys[from]!, keys[middle]!, keys[to - 1]!);
  const step = size >>> 3;
  return medianOf(
    medianOf(keys[from]!, keys[from + step]!, keys[from + 2 * step]!),
    medianOf(keys[middle - step]!, keys[middle]!, keys[middle + step]!),
    medianOf(keys[to - 1 - 2 * step]!, keys[to - 1 - step]!, keys[to - 1]!),
  );
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Sorts by keys, then by the bytes behind them, then by positions. */
function insertionSort(
  view: DataView,
  keys: Uint32Array,
  positions: Uint32Array,
  from: number,
  to: number,
  depth: number,
): void {
  for (let i = from + 1; i < to; i++) {
    const key = keys[i]!;
    const position = positions[i]!;
    const isWhole = (key & 0xff) === TEXT_END;
    let at = i;
    for (; at > from; at--) {
      const other = keys[at - 1]!;
      if (other < key) break;
      if (other === key) {
        const before = positions[at - 1]!;
        const isFirst = isWhole
          ? position < before
          : precedes(view, position, before, depth + KEY_BYTES);
        if (!isFirst) break;
      }
      keys[at] = other;
      positions[at] = positions[at - 1]!;
    }
    keys[at] = key;
    positions[at] = position;
  }
}

/**
 * Whether the suffix at `a` comes before the one at `b`, or is equal and its position does. Both have
 * the same first `depth` bytes.
 */
function precedes(view: DataView, a: number, b: number, depth: number): boolean {
  for (let at = depth; ; at += KEY_BYTES) {
    const x = keyAt(view, a + at);
    const y = keyAt(view, b + at);
    if (x !== y) return x < y;
    if ((x & 0xff) === TEXT_END) return a < b;
  }
}
