/** The fields by which results are sorted: the rows in the order of their values. */
import { fold } from '../../../fhir/search/string.ts';
import { createOffsets, type Offsets, offsetsNamed, wordsNamed } from '../../arrays/array-named.ts';
import { bufferOf, type NamedArrays } from '../../arrays/arrays.ts';
import { lowest } from '../../arrays/binary-search.ts';
import { GrowingArray } from '../../arrays/growing-array.ts';
import { NO_ROW, type RowsBefore, weave } from '../../arrays/rows-before.ts';
import { openTexts } from '../texts/suffixes.ts';
import type { SortColumn } from './columns.ts';
import { NO_TIME, numberTimes, openDates, timesBefore } from './date-column.ts';

/**
 * The order of folded texts: unlike the ranks of a text column, it has a text before those that begin
 * with it. `textPrefix` is the prefix of the text column of the same texts.
 */
export function sortedTexts<Item>(
  prefix: string,
  textPrefix: string,
  textOf: (item: Item) => string | undefined,
): SortColumn<Item> {
  return {
    build: (rowCount, before) => {
      const texts = new Array<string>(rowCount);
      const rows: number[] = [];
      return {
        add: (row, item) => {
          const text = textOf(item);
          if (text === undefined) return;
          texts[row] = fold(text);
          rows.push(row);
        },
        finish: () => {
          const added = orderOf(texts, rows);
          if (before === undefined) {
            const isSame = (one: number, other: number) => texts[one] === texts[other];
            return sortedArrays(prefix, added, numberValues(rowCount, added, isSame));
          }
          const kept = openSortedTexts(prefix, textPrefix, before.arrays);
          return mergeOrder(prefix, kept, { texts, added }, before);
        },
      };
    },
    open: (arrays) => openSortedTexts(prefix, textPrefix, arrays),
  };
}

function openSortedTexts(prefix: string, textPrefix: string, arrays: NamedArrays) {
  const { bytes, starts } = openTexts(textPrefix, arrays);
  const buffer = bufferOf(bytes);
  const order = wordsNamed(arrays, `${prefix}.order`);
  const numbers = offsetsNamed(arrays, `${prefix}.numbers`);
  return {
    order,
    numbers,
    valueCount: order.length === 0 ? 0 : numbers[order.at(-1)!]! + 1,
    valueOf: (row: number) => {
      const [start, end] = [starts[row]!, starts[row + 1]!];
      // Without TEXT_END.
      return start === end ? undefined : buffer.toString('utf8', start, end - 1);
    },
  };
}

/** `added`: the changed rows in the order of their texts, which `texts` has by row. */
function mergeOrder(
  prefix: string,
  kept: ReturnType<typeof openSortedTexts>,
  { texts, added }: { readonly texts: readonly string[]; readonly added: Uint32Array },
  { was, now, changed, bounds }: RowsBefore,
): NamedArrays {
  const boundOf = new Map(Array.from(changed, (row, at) => [row, bounds[at]!]));
  const places = added.map((row) => {
    const [text, bound] = [texts[row]!, boundOf.get(row)!];
    return lowest(kept.order.length, (rank) => {
      const before = kept.order[rank]!;
      const other = kept.valueOf(before)!;
      return other > text || (other === text && before >= bound);
    });
  });
  const order = new GrowingArray(Uint32Array, kept.order.length + added.length);
  weave(
    kept.order.length,
    places,
    (rank) => {
      const row = now[kept.order[rank]!]!;
      if (row !== NO_ROW) order.push(row);
    },
    (at) => order.push(added[at]!),
  );
  const textOf = (row: number) => texts[row] ?? kept.valueOf(was[row]!);
  const isSame = (one: number, other: number) => {
    const [before, otherBefore] = [was[one]!, was[other]!];
    return before === NO_ROW || otherBefore === NO_ROW
      ? textOf(one) === textOf(other)
      : kept.numbers[before] === kept.numbers[otherBefore];
  };
  const rows = order.take();
  return sortedArrays(prefix, rows, numberValues(was.length, rows, isSame));
}

function sortedArrays(prefix: string, order: Uint32Array, numbers: Offsets): NamedArrays {
  return { [`${prefix}.order`]: order, [`${prefix}.numbers`]: numbers };
}

/** The order of the dates of the `dateColumn` with the prefix `datePrefix`. */
export function sortedDates<Item>(
  prefix: string,
  datePrefix: string,
  startOf: (item: Item) => number,
): SortColumn<Item> {
  return {
    build: (rowCount, before) => {
      const times = timesBefore(datePrefix, rowCount, before);
      return {
        add: (row, item) => {
          times[row] = startOf(item);
        },
        finish: () => {
          const { distinct, numbers } = numberTimes(times);
          const numbersNow = createOffsets(rowCount, distinct.length).fill(distinct.length);
          numbers.forEach((number, row) => {
            if (number !== NO_TIME) numbersNow[row] = number;
          });
          return { [`${prefix}.numbers`]: numbersNow };
        },
      };
    },
    open: (arrays) => {
      const { ranked, times } = openDates(datePrefix, arrays);
      const numbers = offsetsNamed(arrays, `${prefix}.numbers`);
      return {
        order: ranked.order,
        numbers,
        valueCount: times.length,
        valueOf: (row) => times[numbers[row]!],
      };
    },
  };
}

/** The rows in the order of their texts. */
function orderOf(texts: readonly string[], rows: readonly number[]): Uint32Array {
  return Uint32Array.from(rows).sort((one, other) => {
    const [text, otherText] = [texts[one]!, texts[other]!];
    return text < otherText ? -1 : text > otherText ? 1 : one - other;
  });
}

/** `isSame`: whether two rows of the order have the same value. */
function numberValues(
  rowCount: number,
  order: Uint32Array,
  isSame: (one: number, other: number) => boolean,
): Offsets {
  const starts = order.filter((row, rank) => rank === 0 || !isSame(row, order[rank - 1]!));
  const numbers = createOffsets(rowCount, starts.length).fill(starts.length);
  let count = 0;
  for (const row of order) {
    if (row === starts[count]) count++;
    numbers[row] = count - 1;
  }
  return numbers;
}
