/** Counts the rows of sets of bits. */

import type { DROP, KEEP } from './bits.ts';
import { popcount } from './popcount.ts';

/*
 * The Harley-Seal algorithm: full adders add the bits of eight words, and only the carries of weight
 * eight are counted.
 */

/** `target = one & (other ^ how)`; returns the number of rows. `one` may be the target. */
export function keepAndCountBits(
  target: Uint32Array,
  one: Uint32Array,
  other: Uint32Array,
  how: typeof KEEP | typeof DROP,
): number {
  const { length } = target;
  const eights = length & ~7;
  let count = 0;
  let ones = 0;
  let twos = 0;
  let fours = 0;
  let i = 0;
  for (; i < eights; i += 8) {
    let a = one[i]! & (other[i]! ^ how);
    target[i] = a;
    let b = one[i + 1]! & (other[i + 1]! ^ how);
    target[i + 1] = b;
    let half = ones ^ a;
    let two = (ones & a) | (half & b);
    ones = half ^ b;
    a = one[i + 2]! & (other[i + 2]! ^ how);
    target[i + 2] = a;
    b = one[i + 3]! & (other[i + 3]! ^ how);
    target[i + 3] = b;
    half = ones ^ a;
    let nextTwo = (ones & a) | (half & b);
    ones = half ^ b;
    half = twos ^ two;
    const four = (twos & two) | (half & nextTwo);
    twos = half ^ nextTwo;
    a = one[i + 4]! & (other[i + 4]! ^ how);
    target[i + 4] = a;
    b = one[i + 5]! & (other[i + 5]! ^ how);
    target[i + 5] = b;
    half = ones ^ a;
    two = (ones & a) | (half & b);
    ones = half ^ b;
    a = one[i + 6]! & (other[i + 6]! ^ how);
    target[i + 6] = a;
    b = one[i + 7]! & (other[i + 7]! ^ how);
    target[i + 7] = b;
    half = ones ^ a;
    nextTwo = (ones & a) | (half & b);
    ones = half ^ b;
    half = twos ^ two;
    const nextFour = (twos & two) | (half & nextTwo);
    twos = half ^ nextTwo;
    half = fours ^ four;
    count += popcount((fours & four) | (half & nextFour));
    fours = half ^ nextFour;
  }
  count = 8 * count + 4 * popcount(fours) + 2 * popcount(twos) + popcount(ones);
  for (; i < length; i++) {
    const both = one[i]! & (other[i]! ^ how);
    target[i] = both;
    count += popcount(both);
  }
  return count;
}

export function countBits(words: Uint32Array): number {
  const { length } = words;
  const eights = length & ~7;
  let count = 0;
  let ones = 0;
  let twos = 0;
  let fours = 0;
  let i = 0;
  for (; i < eights; i += 8) {
    let a = words[i]!;
    let b = words[i + 1]!;
    let half = ones ^ a;
    let two = (ones & a) | (half & b);
    ones = half ^ b;
    a = words[i + 2]!;
    b = words[i + 3]!;
    half = ones ^ a;
    let nextTwo = (ones & a) | (half & b);
    ones = half ^ b;
    half = twos ^ two;
    const four = (twos & two) | (half & nextTwo);
    twos = half ^ nextTwo;
    a = words[i + 4]!;
    b = words[i + 5]!;
    half = ones ^ a;
    two = (ones & a) | (half & b);
    ones = half ^ b;
    a = words[i + 6]!;
    b = words[i + 7]!;
    half = ones ^ a;
    nextTwo = (ones & a) | (half & b);
    ones = half ^ b;
    half = twos ^ two;
    const nextFour = (twos & two) | (half & nextTwo);
    twos = half ^ nextTwo;
    half = fours ^ four;
    count += popcount((fours & four) | (half & nextFour));
    fours = half ^ nextFour;
  }
  count = 8 * count + 4 * popcount(fours) + 2 * popcount(twos) + popcount(ones);
  for (; i < length; i++) count += popcount(words[i]!);
  return count;
}
