/** Sorts a few numbers and removes repeated ones. */

/** Sorts in place. The different numbers come first; returns how many there are. */
export function sortDifferent(numbers: Uint32Array): number {
  if (numbers.length < 2) return numbers.length;
  numbers.sort();
  let different = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (i === 0 || numbers[i] !== numbers[different - 1]) numbers[different++] = numbers[i]!;
  }
  return different;
}
