/**
 * A field with few different times, which an index does not store. The first search lists the rows
 * of each time.
 */
import { type DateCriterion, matchesDate } from '../../../fhir/search/date.ts';
import { createRowListsWriter, openRowLists } from '../sets/row-lists.ts';
import type { RowSet } from '../sets/row-set.ts';
import { foundRows, type OpenColumn } from './column.ts';

/** `instantOf`: as an ISO text. */
export function listedDates(instantOf: (row: number) => string): OpenColumn<DateCriterion> {
  return {
    open: (_arrays, rowCount) => {
      let listed: ListedTimes | undefined;
      return ({ values }) => {
        listed ??= listTimes(instantOf, rowCount);
        const { times, rowsOf } = listed;
        const sets = times.flatMap((start, number) => {
          const instant = { start, end: start + 1 };
          return values.some((value) => matchesDate(instant, value)) ? [rowsOf(number)] : [];
        });
        return foundRows(sets, true);
      };
    },
  };
}

interface ListedTimes {
  readonly times: readonly number[];
  /** By the place of a time. */
  rowsOf(number: number): RowSet;
}

function listTimes(instantOf: (row: number) => string, rowCount: number): ListedTimes {
  const numbers = new Map<string, number>();
  const lists = createRowListsWriter();
  for (let row = 0; row < rowCount; row++) {
    const instant = instantOf(row);
    let number = numbers.get(instant);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(instant, number);
    }
    lists.add(number, row);
  }
  const arrays = lists.finish(LISTS, numbers.size, rowCount);
  return {
    times: Array.from(numbers.keys(), Date.parse),
    rowsOf: openRowLists(LISTS, arrays, rowCount),
  };
}

const LISTS = 'times';
