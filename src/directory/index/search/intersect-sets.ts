/** Intersects the whole sets of all criteria, as bits. */

import { type FoundRows, matchingRows, rangeOf } from '../columns/column.ts';
import { DROP, KEEP, keepBits, markAll } from '../sets/bits.ts';
import { countBits, keepAndCountBits } from '../sets/count-bits.ts';
import { keepRange } from '../sets/ranked-rows.ts';
import { markRows, markUncounted } from '../sets/row-set.ts';
import { bitsOf, type WorkingMemory } from './working-memory.ts';

export function intersectSets(memory: WorkingMemory, found: readonly FoundRows[]): FoundRows {
  const { kept, listed, rowCount } = memory;
  const sorted = found.toSorted((a, b) => placeOf(a) - placeOf(b));
  // The rows of a negated criterion are removed from others: here, from all rows.
  const first = sorted[0]?.isNegated ? undefined : sorted.shift();
  let total: number | undefined;
  let words: Uint32Array = kept;
  if (first === undefined) markAll(kept, rowCount);
  else if (sorted.length === 0) total = markRows(kept, first.sets);
  else if (placeOf(first) === ORDER.bits) words = bitsOf(memory, first.sets);
  else markUncounted(kept, first.sets);
  for (const [i, one] of sorted.entries()) {
    const range = rangeOf(one);
    const how = one.isNegated ? DROP : KEEP;
    if (range !== undefined) {
      total = keepRange(kept, words, range.ranked, range.from, range.to, listed);
    } else if (i + 1 < sorted.length) {
      keepBits(kept, words, bitsOf(memory, one.sets), how);
    } else {
      total = keepAndCountBits(kept, words, bitsOf(memory, one.sets), how);
    }
    words = kept;
  }
  total ??= countBits(kept);
  const unmarked = sorted.length === 0 ? first?.sets : undefined;
  return matchingRows({ kind: 'bits', words: kept, count: total }, total, unmarked);
}

/**
 * First the sets that must be marked, then stored bits, then ranges, which need no marking. Negated
 * criteria come last, because they are taken out of the rows of the others.
 */
const ORDER = { marked: 0, bits: 1, range: 2, negated: 3 } as const;

function placeOf(found: FoundRows): number {
  if (found.isNegated) return ORDER.negated;
  if (rangeOf(found) !== undefined) return ORDER.range;
  return found.sets.length === 1 && found.sets[0]?.kind === 'bits' ? ORDER.bits : ORDER.marked;
}
