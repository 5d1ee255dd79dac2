/** The fields by which results are sorted: the rows in the order of their values. */
import { fold } from '../../../fhir/search/string.ts';
import { createOffsets, type Offsets, offsetsNamed, wordsNamed } from '../array-named.ts';
import { openTexts } from '../texts/suffixes.ts';
import type { SortColumn } from './columns.ts';
import { openDates } from './date-column.ts';

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
    build: () => {
      const texts: (string | undefined)[] = [];
      return {
        add: (_row, item) => {
          const text = textOf(item);
          texts.push(text === undefined ? undefined : fold(text));
        },
        finish: () => {
          const order = orderOf(texts, (one, other) => (one < other ? -1 : one > other ? 1 : 0));
          return {
            [`${prefix}.order`]: order,
            [`${prefix}.numbers`]: numberValues(texts, order),
          };
        },
      };
    },
    open: (arrays) => {
      const { bytes, starts } = openTexts(textPrefix, arrays);
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const order = wordsNamed(arrays, `${prefix}.order`);
      const numbers = offsetsNamed(arrays, `${prefix}.numbers`);
      return {
        order,
        numbers,
        valueCount: valueCountOf(order, numbers),
        valueOf: (row) => {
          const [start, end] = [starts[row]!, starts[row + 1]!];
          // Without TEXT_END.
          return start === end ? undefined : buffer.toString('utf8', start, end - 1);
        },
      };
    },
  };
}

/** The order of the dates of the `dateColumn` with the prefix `datePrefix`. */
export function sortedDates<Item>(
  prefix: string,
  datePrefix: string,
  startOf: (item: Item) => number,
): SortColumn<Item> {
  return {
    build: () => {
      const times: (number | undefined)[] = [];
      return {
        add: (_row, item) => {
          const time = startOf(item);
          times.push(Number.isNaN(time) ? undefined : time);
        },
        finish: () => {
          const order = orderOf(times, (one, other) => one - other);
          return { [`${prefix}.numbers`]: numberValues(times, order) };
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

/** The rows that have a value, in the order of the values. */
function orderOf<Value>(
  values: readonly (Value | undefined)[],
  compare: (one: Value, other: Value) => number,
): Uint32Array {
  const rows = Uint32Array.from(values.keys()).filter((row) => values[row] !== undefined);
  return rows.sort((one, other) => compare(values[one]!, values[other]!) || one - other);
}

function numberValues<Value>(values: readonly (Value | undefined)[], order: Uint32Array): Offsets {
  let count = 0;
  const starts = order.filter(
    (row, rank) => rank === 0 || values[row] !== values[order[rank - 1]!],
  );
  const numbers = createOffsets(values.length, starts.length).fill(starts.length);
  for (let rank = 0; rank < order.length; rank++) {
    const row = order[rank]!;
    if (row === starts[count]) count++;
    numbers[row] = count - 1;
  }
  return numbers;
}

function valueCountOf(order: Uint32Array, numbers: Offsets): number {
  const last = order.at(-1);
  return last === undefined ? 0 : numbers[last]! + 1;
}
