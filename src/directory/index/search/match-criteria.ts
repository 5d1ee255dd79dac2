/**
 * Finds the rows that match all criteria of a search. Either the rows of the criterion with the
 * fewest are listed and filtered, or whole sets are intersected.
 */
import { type FoundRows, matchingRows } from '../columns/columns.ts';
import { countBits, DROP, KEEP, keepBits, markAll, wordCount } from '../sets/bits.ts';
import {
  areListed,
  isTestingWorthwhile,
  keepMarked,
  keepTested,
  type ListedRows,
  listRows,
  markRows,
  type RowSet,
  SORTED_MAX,
  sortDifferent,
} from '../sets/row-set.ts';

/** The memory in which a search marks and lists rows. Each thread has its own, three bits a row. */
export interface WorkingMemory {
  readonly rowCount: number;
  /** Sets of rows as bits: the result so far, and what it is intersected with. */
  readonly kept: Uint32Array;
  readonly other: Uint32Array;
  /** Rows that are few enough to be filtered one by one. */
  readonly listed: Uint32Array;
}

/** Filtering this share of all rows one by one is as fast as intersecting whole sets. */
const LISTED_SHARE = 1 / 32;

export function createWorkingMemory(rowCount: number): WorkingMemory {
  const words = wordCount(rowCount);
  return {
    rowCount,
    kept: new Uint32Array(words),
    other: new Uint32Array(words),
    listed: new Uint32Array(Math.max(SORTED_MAX, Math.floor(rowCount * LISTED_SHARE))),
  };
}

/** The rows that all criteria have found, each once. */
export function matchCriteria(memory: WorkingMemory, found: readonly FoundRows[]): FoundRows {
  const [fewest, ...others] = found.toSorted((one, other) => one.size - other.size);
  if (fewest === undefined) {
    markAll(memory.kept, memory.rowCount);
    return markedRows(memory, memory.rowCount);
  }
  const { sets, size, isDistinct, isNegated } = fewest;
  if (others.length === 0 && isDistinct && !isNegated) return fewest;
  const listMax = others.length === 0 ? SORTED_MAX : memory.listed.length;
  return !isNegated && areListed(sets) && size <= listMax
    ? filterList(memory, sets, isDistinct, others)
    : intersectSets(memory, found);
}

function markedRows({ kept }: WorkingMemory, count: number): FoundRows {
  return matchingRows({ kind: 'bits', words: kept, count }, count);
}

function filterList(
  memory: WorkingMemory,
  sets: readonly ListedRows[],
  isDistinct: boolean,
  others: readonly FoundRows[],
): FoundRows {
  const { listed, kept } = memory;
  let count = listRows(listed, sets);
  for (const other of others) {
    if (count === 0) break;
    const how = other.isNegated ? DROP : KEEP;
    count = isTestingWorthwhile(other.sets, count)
      ? keepTested(listed, count, other.sets, how)
      : keepMarked(listed, count, bitsOf(memory, other.sets), how);
  }
  const rows = listed.subarray(0, count);
  if (isDistinct) {
    const isSorted = sets.length === 1 && sets[0]?.kind === 'list';
    return matchingRows({ kind: isSorted ? 'list' : 'hits', rows, from: 0, to: count }, count);
  }
  if (count <= SORTED_MAX) {
    const to = sortDifferent(rows);
    return matchingRows({ kind: 'list', rows, from: 0, to }, to);
  }
  const total = markRows(kept, [{ kind: 'hits', rows, from: 0, to: count }]);
  return markedRows(memory, total ?? countBits(kept));
}

function intersectSets(memory: WorkingMemory, found: readonly FoundRows[]): FoundRows {
  const { kept, rowCount } = memory;
  // The rows of a negated criterion are removed from those of the others, or from all rows.
  const [first, ...others] = found.toSorted((a, b) => Number(a.isNegated) - Number(b.isNegated));
  let count: number | undefined;
  if (first === undefined || first.isNegated) {
    markAll(kept, rowCount);
    if (first !== undefined) others.push(first);
  } else {
    count = markRows(kept, first.sets);
  }
  for (const { sets, isNegated } of others) {
    keepBits(kept, bitsOf(memory, sets), isNegated ? DROP : KEEP);
    count = undefined;
  }
  return markedRows(memory, count ?? countBits(kept));
}

/** The rows of the sets as bits: stored ones as they are, others marked in the second set. */
export function bitsOf({ other }: WorkingMemory, sets: readonly RowSet[]): Uint32Array {
  const [first] = sets;
  if (sets.length === 1 && first?.kind === 'bits') return first.words;
  markRows(other, sets);
  return other;
}
