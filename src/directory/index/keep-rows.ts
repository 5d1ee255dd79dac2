/** Filters of listed rows: what is kept goes to a list, which may be the one that is read. */

/**
 * Appends to `list`, of which `at` entries are in use, those of `rows[from..to)` whose bit is set;
 * returns how many entries are in use then. So do the other filters.
 */
export function keepMarked(
  list: Uint32Array,
  at: number,
  rows: Uint32Array,
  from: number,
  to: number,
  words: Uint32Array,
): number {
  let end = at;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    // Written without a branch: which rows are kept cannot be predicted.
    list[end] = row;
    end += (words[row >>> 5]! >>> (row & 31)) & 1;
  }
  return end;
}

/** Appends the rows that have a rank within `first..last`. */
export function keepRanked(
  list: Uint32Array,
  at: number,
  rows: Uint32Array,
  from: number,
  to: number,
  rank: Uint32Array,
  first: number,
  last: number,
): number {
  let end = at;
  const size = last - first;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    list[end] = row;
    // Ranks below the range wrap round to beyond it: one comparison for both ends.
    end += (rank[row]! - first) >>> 0 < size ? 1 : 0;
  }
  return end;
}

/** Appends all rows. */
export function keepAll(
  list: Uint32Array,
  at: number,
  rows: Uint32Array,
  from: number,
  to: number,
): number {
  let end = at;
  for (let i = from; i < to; i++) list[end++] = rows[i]!;
  return end;
}
