/** The texts of a column as they were before folding, for exact comparison. */

import { fold } from '../../fhir/search/fold.ts';
import type { NamedArrays } from '../arrays.ts';
import { bytesNamed, wordsNamed } from './array-named.ts';
import { findRange, type Range } from './suffixes.ts';
import { compareText, createTextWriter, type TextList } from './text-list.ts';

/**
 * Published names are in capitals, and follow from their folded form. Only the others, here called
 * odd, are kept: by rank, and within equal folded texts behind the plain ones.
 */
export interface Originals {
  readonly oddRanks: Uint32Array;
  /** In the order of `oddRanks`. */
  readonly oddTexts: TextList;
}

export function isOdd(original: string, folded: string): boolean {
  return original !== folded.toUpperCase();
}

/**
 * `texts` are the folded texts of all entries, `order` their order. Reorders the entries of equal
 * folded texts: the plain ones by entry, then the odd ones by original text, then by entry.
 */
export function buildOriginals(
  prefix: string,
  texts: TextList,
  order: Uint32Array,
  odd: ReadonlyMap<number, string>,
): NamedArrays {
  const writer = createTextWriter();
  const oddRanks: number[] = [];
  for (let from = 0, to = 0; from < order.length; from = to) {
    to = from + 1;
    while (to < order.length && sameText(texts, order[from]!, order[to]!)) to++;
    const group = order.subarray(from, to);
    if (group.length > 1) arrangeGroup(group, odd);
    for (let rank = from; rank < to; rank++) {
      const original = odd.get(order[rank]!);
      if (original === undefined) continue;
      oddRanks.push(rank);
      writer.add(original);
    }
  }
  const { bytes, starts } = writer.finish();
  return {
    [`${prefix}.odd-ranks`]: Uint32Array.from(oddRanks),
    [`${prefix}.odd-text`]: bytes,
    [`${prefix}.odd-starts`]: starts,
  };
}

function sameText({ bytes, starts }: TextList, a: number, b: number): boolean {
  const length = starts[a + 1]! - starts[a]!;
  if (length !== starts[b + 1]! - starts[b]!) return false;
  for (let i = 0; i < length; i++) {
    if (bytes[starts[a]! + i] !== bytes[starts[b]! + i]) return false;
  }
  return true;
}

function arrangeGroup(group: Uint32Array, odd: ReadonlyMap<number, string>): void {
  group.sort();
  if (odd.size === 0) return;
  const plain = group.filter((entry) => !odd.has(entry));
  if (plain.length === group.length) return;
  const others = Array.from(group)
    .filter((entry) => odd.has(entry))
    .map((entry) => ({ entry, bytes: Buffer.from(odd.get(entry)!) }))
    .sort((a, b) => a.bytes.compare(b.bytes) || a.entry - b.entry);
  group.set(plain);
  group.set(
    others.map(({ entry }) => entry),
    plain.length,
  );
}

export function openOriginals(prefix: string, arrays: NamedArrays): Originals {
  return {
    oddRanks: wordsNamed(arrays, `${prefix}.odd-ranks`),
    oddTexts: {
      bytes: bytesNamed(arrays, `${prefix}.odd-text`),
      starts: wordsNamed(arrays, `${prefix}.odd-starts`),
    },
  };
}

/** Of the ranks that share the folded text of `wanted`, those whose original text equals it. */
export function findOriginals(originals: Originals, equal: Range, wanted: string): Range {
  const { oddRanks, oddTexts } = originals;
  const odd = findRange(oddRanks.length, (i) =>
    oddRanks[i]! < equal.from ? -1 : oddRanks[i]! < equal.to ? 0 : 1,
  );
  const firstOdd = equal.to - (odd.to - odd.from);
  if (!isOdd(wanted, fold(wanted))) return { from: equal.from, to: firstOdd };
  const bytes = Buffer.from(wanted);
  const same = findRange(odd.to - odd.from, (i) => compareText(oddTexts, odd.from + i, bytes));
  return { from: firstOdd + same.from, to: firstOdd + same.to };
}
