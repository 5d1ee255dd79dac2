/** Finds places in sorted sequences. */

/** The places from `from` until before `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The first number below `end` for which the claim is true, or `end`. It is true for later ones. */
export function lowest(end: number, isTrue: (number: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The part of a sequence that compares as 0, after the negatives and before the positives. */
export function findRange(length: number, compare: (index: number) => number): Range {
  const from = lowest(length, (index) => compare(index) >= 0);
  // Most ranges are short, so the search for the end begins with small steps.
  let least = from;
  let step = 1;
  for (; least + step <= length && compare(least + step - 1) === 0; step *= 2) least += step;
  const most = Math.min(length - least, step);
  return { from, to: least + lowest(most, (more) => compare(least + more) > 0) };
}
