/** Measures how much the spellings of two words differ. */

/** The edit distance: the number of wrong, missing, extra and transposed letters. */
export function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}

/**
 * The distance of two similar texts in any case: 0 to 2, and less for a short one. Infinite if
 * they are not similar.
 */
export function similarDistance(known: string, written: string): number {
  const distanceMax = Math.min(2, Math.floor(known.length / 3));
  // Keeps the work for a long text small.
  if (Math.abs(known.length - written.length) > distanceMax) return Number.POSITIVE_INFINITY;
  const distance = distanceOf(known.toLowerCase(), written.toLowerCase());
  return distance > distanceMax ? Number.POSITIVE_INFINITY : distance;
}
