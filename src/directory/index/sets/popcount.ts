/** Counts the bits that are set in one word, or in four. */

/** How many bits of a word are set. */
export function popcount(word: number): number {
  return Math.imul(byteSums(nibbleCounts(word)), 0x01010101) >>> 24;
}

/** One multiplication for four words; `| 0` keeps the sums whole numbers of 32 bits. */
export function popcountOfFour(a: number, b: number, c: number, d: number): number {
  const first = (nibbleCounts(a) + nibbleCounts(b)) | 0;
  const second = (nibbleCounts(c) + nibbleCounts(d)) | 0;
  return Math.imul((byteSums(first) + byteSums(second)) | 0, 0x01010101) >>> 24;
}

/** In each four bits, how many of them were set. */
function nibbleCounts(word: number): number {
  const pairs = ((word | 0) - ((word >>> 1) & 0x55555555)) | 0;
  return ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
}

function byteSums(nibbles: number): number {
  return ((nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f)) | 0;
}
