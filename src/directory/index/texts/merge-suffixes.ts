/** Merges the suffixes of the texts that have not changed with those of the changed texts. */
import { createOffsets } from '../array-named.ts';
import { lowest } from '../binary-search.ts';
import { NO_ROW, type RowsBefore, weave } from '../rows-before.ts';
import type { Suffixes } from './suffixes.ts';
import { TEXT_END, type TextList } from './text-list.ts';

/** The suffixes of the edition before, and its rows. */
export interface KeptSuffixes extends RowsBefore {
  readonly suffixes: Suffixes;
}

/** `texts`: those of all rows now. `added`: the suffixes of the changed rows, in their order. */
export function mergeSuffixes(
  { suffixes, now, changed, bounds }: KeptSuffixes,
  texts: TextList,
  added: Suffixes,
): Suffixes {
  const { entries, offsets } = suffixes;
  let from = 0;
  const places = added.entries.map((entry, at) => {
    const bound = bounds[entry]!;
    from += lowest(entries.length - from, (more) => {
      const order = compareSuffixes(suffixes, from + more, added, at);
      return order > 0 || (order === 0 && entries[from + more]! >= bound);
    });
    return from;
  });
  const merged = new Uint32Array(entries.length + added.entries.length);
  const mergedOffsets = createOffsets(merged.length, longestOf(texts));
  let length = 0;
  weave(
    entries.length,
    places,
    (at) => {
      const row = now[entries[at]!]!;
      if (row === NO_ROW) return;
      merged[length] = row;
      mergedOffsets[length++] = offsets[at]!;
    },
    (at) => {
      merged[length] = changed[added.entries[at]!]!;
      mergedOffsets[length++] = added.offsets[at]!;
    },
  );
  return { texts, entries: merged.slice(0, length), offsets: mergedOffsets.slice(0, length) };
}

function compareSuffixes(one: Suffixes, at: number, other: Suffixes, otherAt: number): number {
  let position = one.texts.starts[one.entries[at]!]! + one.offsets[at]!;
  let otherPosition = other.texts.starts[other.entries[otherAt]!]! + other.offsets[otherAt]!;
  for (;;) {
    const byte = one.texts.bytes[position++]!;
    const difference = byte - other.texts.bytes[otherPosition++]!;
    if (difference !== 0 || byte === TEXT_END) return difference;
  }
}

function longestOf({ starts }: TextList): number {
  let longest = 0;
  for (let entry = 0; entry + 1 < starts.length; entry++) {
    longest = Math.max(longest, starts[entry + 1]! - starts[entry]!);
  }
  return longest;
}
