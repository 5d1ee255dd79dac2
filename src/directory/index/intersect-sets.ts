/** Intersects the whole sets of all criteria, as bits. */
import type { Page } from '../query.ts';
import { KEEP, keepBits, readRows } from './bits.ts';
import type { FoundRows } from './column.ts';
import { countBits, keepAndCountBits } from './count-bits.ts';
import { keepRange } from './ranked-rows.ts';
import { markRows, markUncounted, onlyRange, type RowSet } from './row-set.ts';
import { bitsOf, type WorkingMemory } from './working-memory.ts';

export function intersectSets(
  memory: WorkingMemory,
  found: readonly FoundRows[],
  offset: number,
  limit: number,
): Page {
  const { kept, listed } = memory;
  const [first, ...others] = found.toSorted((a, b) => placeOf(a.sets) - placeOf(b.sets));
  let total: number | undefined;
  let words: Uint32Array = kept;
  if (others.length === 0) total = markRows(kept, first!.sets);
  else if (placeOf(first!.sets) === ORDER.bits) words = bitsOf(memory, first!.sets);
  else markUncounted(kept, first!.sets);
  for (const [i, { sets }] of others.entries()) {
    const range = onlyRange(sets);
    if (range !== undefined) {
      total = keepRange(kept, words, range.ranked, range.from, range.to, listed);
    } else if (i + 1 < others.length) {
      keepBits(kept, words, bitsOf(memory, sets), KEEP);
    } else {
      total = keepAndCountBits(kept, words, bitsOf(memory, sets), KEEP);
    }
    words = kept;
  }
  total ??= countBits(kept);
  return { total, rows: readRows(kept, total, offset, limit) };
}

/** First the sets that must be marked, then stored bits, then ranges, which need no marking. */
const ORDER = { marked: 0, bits: 1, range: 2 } as const;

function placeOf(sets: readonly RowSet[]): number {
  if (onlyRange(sets) !== undefined) return ORDER.range;
  return sets.length === 1 && sets[0]?.kind === 'bits' ? ORDER.bits : ORDER.marked;
}
