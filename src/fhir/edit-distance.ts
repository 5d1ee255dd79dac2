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

/** The most similar one of the known texts: in another case, or with at most two differences. */
export function nearestText(written: string, known: readonly string[]): string | undefined {
  const lower = written.toLowerCase();
  let nearest: string | undefined;
  let least = DISTANCE_MAX + 1;
  for (const text of known) {
    // Keeps the work for a long text small.
    if (Math.abs(text.length - written.length) > DISTANCE_MAX) continue;
    const distance = distanceOf(lower, text.toLowerCase());
    if (distance < least) [nearest, least] = [text, distance];
  }
  return nearest;
}

const DISTANCE_MAX = 2;
