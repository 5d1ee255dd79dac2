/**
 * The texts whose exact form does not follow from their folded form, for `:exact`. Most published
 * names are in capitals: the exact text is the folded text in upper case. Only the other texts,
 * called irregular, are kept.
 */
import { fold } from '../../../fhir/search/string.ts';
import { bytesNamed, wordsNamed } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import { findRange, type Range } from '../../arrays/binary-search.ts';
import { compareText, createTextWriter, type TextList } from '../../arrays/text-list.ts';

/** Among equal folded texts, the irregular ones have the last ranks, in the order of their texts. */
export interface IrregularTexts {
  readonly ranks: Uint32Array;
  /** The exact texts, in the order of `ranks`. */
  readonly texts: TextList;
}

export function isIrregular(exact: string, folded: string): boolean {
  return exact !== folded.toUpperCase();
}

/**
 * `texts` are the folded texts of all entries, `order` the entries in the order of their texts, those
 * of equal texts ascending, and `irregular` the exact texts by entry. Rearranges the entries of equal
 * folded texts in `order`: the regular ones by entry, then the irregular ones by exact text and entry.
 */
export function buildIrregularTexts(
  prefix: string,
  texts: TextList,
  order: Uint32Array,
  irregular: ReadonlyMap<number, string>,
): NamedArrays {
  const writer = createTextWriter();
  const ranks: number[] = [];
  const isOdd = new Uint8Array(texts.starts.length);
  for (const entry of irregular.keys()) isOdd[entry] = 1;
  for (let from = 0, to = 0; to < order.length; ) {
    from = to++;
    const entry = order[from]!;
    if (isOdd[entry] === 0) continue;
    while (from > 0 && isSameText(texts, entry, order[from - 1]!)) from--;
    while (to < order.length && isSameText(texts, entry, order[to]!)) to++;
    arrangeGroup(order.subarray(from, to), irregular);
    for (let rank = from; rank < to; rank++) {
      const exact = irregular.get(order[rank]!);
      if (exact === undefined) continue;
      ranks.push(rank);
      writer.add(exact);
    }
  }
  const { bytes, starts } = writer.finish();
  return {
    [`${prefix}.odd-ranks`]: Uint32Array.from(ranks),
    [`${prefix}.odd-text`]: bytes,
    [`${prefix}.odd-starts`]: starts,
  };
}

function isSameText({ bytes, starts }: TextList, a: number, b: number): boolean {
  const length = starts[a + 1]! - starts[a]!;
  if (length !== starts[b + 1]! - starts[b]!) return false;
  for (let i = 0; i < length; i++) {
    if (bytes[starts[a]! + i] !== bytes[starts[b]! + i]) return false;
  }
  return true;
}

function arrangeGroup(group: Uint32Array, irregular: ReadonlyMap<number, string>): void {
  const regular = group.filter((entry) => !irregular.has(entry));
  const others = Array.from(group)
    .filter((entry) => irregular.has(entry))
    .map((entry) => ({ entry, bytes: Buffer.from(irregular.get(entry)!) }))
    .sort((a, b) => a.bytes.compare(b.bytes) || a.entry - b.entry);
  group.set(regular);
  group.set(
    others.map(({ entry }) => entry),
    regular.length,
  );
}

export function openIrregularTexts(prefix: string, arrays: NamedArrays): IrregularTexts {
  return {
    ranks: wordsNamed(arrays, `${prefix}.odd-ranks`),
    texts: {
      bytes: bytesNamed(arrays, `${prefix}.odd-text`),
      starts: wordsNamed(arrays, `${prefix}.odd-starts`),
    },
  };
}

/** Of the ranks `equal`, which share the folded text of `wanted`: those of exactly this text. */
export function findExact({ ranks, texts }: IrregularTexts, equal: Range, wanted: string): Range {
  const irregular = findRange(ranks.length, (i) =>
    ranks[i]! < equal.from ? -1 : ranks[i]! < equal.to ? 0 : 1,
  );
  const first = equal.to - (irregular.to - irregular.from);
  if (!isIrregular(wanted, fold(wanted))) return { from: equal.from, to: first };
  const bytes = Buffer.from(wanted);
  const same = findRange(irregular.to - irregular.from, (i) =>
    compareText(texts, irregular.from + i, bytes),
  );
  return { from: first + same.from, to: first + same.to };
}
