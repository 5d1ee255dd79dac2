/** Rows in the order of a field by which results are sorted. */
import { fold } from '../../fhir/search/fold.ts';
import type { NamedArrays } from '../arrays.ts';
import { wordsNamed } from './array-named.ts';
import type { BuildColumn } from './column.ts';
import { openDates } from './date-column.ts';
import { NO_RANK } from './ranked-rows.ts';
import { openTexts } from './suffixes.ts';

export interface SortedRows {
  /** Rank → row. Rows with equal values ascend. Rows without the field have no rank. */
  readonly order: Uint32Array;
  /** Row → rank, or NO_RANK. */
  readonly rank: Uint32Array;
  /** Whether the values of two rows that have the field are equal. */
  areEqual(one: number, other: number): boolean;
  /** Values of rows of different indexes compare as in the order. Undefined: the row has none. */
  valueOf(row: number): string | number | undefined;
}

export interface SortColumn<Item> {
  /** Absent for an order that shares the arrays of a field. */
  readonly build?: BuildColumn<Item>;
  readonly open: (arrays: NamedArrays) => SortedRows;
}

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
    build: (rowCount) => {
      const texts: (string | undefined)[] = [];
      return {
        add: (_row, item) => {
          const text = textOf(item);
          texts.push(text === undefined ? undefined : fold(text));
        },
        finish: () => {
          const order = Uint32Array.from(texts.keys()).filter((row) => texts[row] !== undefined);
          order.sort((one, other) => compareTexts(texts[one]!, texts[other]!) || one - other);
          const rank = new Uint32Array(rowCount).fill(NO_RANK);
          for (let i = 0; i < order.length; i++) rank[order[i]!] = i;
          return { [`${prefix}.order`]: order, [`${prefix}.rank`]: rank };
        },
      };
    },
    open: (arrays) => {
      const { bytes, starts } = openTexts(textPrefix, arrays);
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return {
        order: wordsNamed(arrays, `${prefix}.order`),
        rank: wordsNamed(arrays, `${prefix}.rank`),
        areEqual: (one, other) => {
          const start = starts[one]!;
          const end = starts[one + 1]!;
          let at = starts[other]!;
          if (starts[other + 1]! - at !== end - start) return false;
          for (let i = start; i < end; i++) if (bytes[i] !== bytes[at++]) return false;
          return true;
        },
        valueOf: (row) => {
          const [start, end] = [starts[row]!, starts[row + 1]!];
          // Without TEXT_END.
          return start === end ? undefined : buffer.toString('utf8', start, end - 1);
        },
      };
    },
  };
}

/** The order of the dates of the `dateColumn` with this prefix. */
export function sortedDates(prefix: string): SortColumn<unknown> {
  return {
    open: (arrays) => {
      const { ranked, starts, times } = openDates(prefix, arrays);
      const { order, rank } = ranked;
      /** The number of the date of a row. */
      const numberOf = (row: number): number => {
        let low = 0;
        let high = times.length;
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (starts[middle + 1]! <= rank[row]!) low = middle + 1;
          else high = middle;
        }
        return low;
      };
      return {
        order,
        rank,
        areEqual: (one, other) => numberOf(one) === numberOf(other),
        valueOf: (row) => (rank[row] === NO_RANK ? undefined : times[numberOf(row)]),
      };
    },
  };
}

function compareTexts(one: string, other: string): number {
  if (one < other) return -1;
  return one > other ? 1 : 0;
}
