/** A field of periods of any length, which may have no end: the rows by start, and by end. */
import {
  type DateCriterion,
  type DateEntry,
  type DatePeriod,
  type DateValue,
  dateEntries,
} from '../../../fhir/search/date.ts';
import type { PeriodRecord } from '../../record/record.ts';
import type { RankedRows } from '../sets/ranked-rows.ts';
import type { RowSet } from '../sets/row-set.ts';
import { type Column, foundRows, otherRows } from './columns.ts';
import {
  buildDates,
  FIRST,
  joinSpans,
  LAST,
  openDates,
  rowsOfSpan,
  type SortedDates,
  type Span,
  timesBefore,
} from './date-column.ts';

/** `prefix` begins the names of the column's arrays. */
export function periodColumn<Item>(
  prefix: string,
  periodOf: (item: Item) => PeriodRecord | undefined,
): Column<Item, DateCriterion, DateEntry> {
  return {
    entriesOf: (item) => periodEntries(periodOf(item), parseDate),
    build: (rowCount, before) => {
      const starts = timesBefore(`${prefix}.start`, rowCount, before);
      const ends = timesBefore(`${prefix}.end`, rowCount, before);
      const entryOf = createPeriodReader();
      return {
        add: (row, item) => {
          const entry = entryOf(periodOf(item));
          if (entry === undefined) return;
          starts[row] = entry.start;
          ends[row] = entry.end;
        },
        finish: () => ({
          ...buildDates(`${prefix}.start`, starts),
          ...buildDates(`${prefix}.end`, ends),
        }),
      };
    },
    open: (arrays, rowCount) => {
      const dates = {
        starts: openDates(`${prefix}.start`, arrays),
        ends: openDates(`${prefix}.end`, arrays),
      };
      const without = rowsWithout(dates.starts.ranked, rowCount);
      return ({ values }) => {
        const [only] = values;
        if (only === undefined || values.length > 1 || only.prefix !== 'ne') {
          return foundRows(rowsOfPeriods(dates, values), values.length === 1);
        }
        // Few periods are within a value, so the others need not be marked.
        const others = [rowsOfBoth(dates, within(only)), without];
        return otherRows(foundRows(others, true), rowCount);
      };
    },
  };
}

/** Reads many periods. Most dates are repeated, and parsing takes most of the time. */
function createPeriodReader(): (period: PeriodRecord | undefined) => DateEntry | undefined {
  const parsed = new Map<string, DateEntry | undefined>();
  const parse = (text: string) => {
    if (!parsed.has(text)) parsed.set(text, parseDate(text));
    return parsed.get(text);
  };
  return (period) => periodEntries(period, parse)[0];
}

/**
 * The last day of a period belongs to it. A period without a start has no first day, and one without
 * an end never ends. A period that ends before it starts counts as its first day.
 */
function periodEntries(
  period: PeriodRecord | undefined,
  parse: (text: string) => DateEntry | undefined,
): DateEntry[] {
  if (period === undefined) return [];
  const first = period.start === undefined ? ALWAYS : parse(period.start);
  const last = period.end === undefined ? FOREVER : parse(period.end);
  if (first === undefined || last === undefined) return [];
  return [{ start: first.start, end: Math.max(first.end, last.end) }];
}

function parseDate(text: string): DateEntry | undefined {
  return dateEntries(text)[0];
}

const ALWAYS: DatePeriod = { start: FIRST, end: FIRST };
const FOREVER: DatePeriod = { start: LAST, end: LAST };

interface PeriodDates {
  readonly starts: SortedDates;
  readonly ends: SortedDates;
}

function rowsWithout({ order, rank }: RankedRows, rowCount: number): RowSet {
  const rows = new Uint32Array(rowCount - order.length);
  let count = 0;
  for (let row = 0; count < rows.length; row++) {
    if (rank[row]! >= order.length) rows[count++] = row;
  }
  return { kind: 'list', rows, from: 0, to: count };
}

function rowsOfPeriods({ starts, ends }: PeriodDates, values: readonly DateValue[]): RowSet[] {
  const conditions = values.map(conditionsOf);
  const both = conditions.flatMap((one) => one.both ?? []);
  const distinct = new Map(both.map((spans) => [JSON.stringify(spans), spans]));
  return [
    ...joinSpans(conditions.flatMap((one) => one.starts ?? [])).map((span) =>
      rowsOfSpan(starts, span),
    ),
    ...joinSpans(conditions.flatMap((one) => one.ends ?? [])).map((span) => rowsOfSpan(ends, span)),
    ...Array.from(distinct.values(), (spans) => rowsOfBoth({ starts, ends }, spans)),
  ];
}

/** A period matches a value if one of these is true. */
interface Conditions {
  /** The span in which the period starts. */
  readonly starts?: Span;
  /** The span in which it ends. */
  readonly ends?: Span;
  readonly both?: StartAndEnd;
}

interface StartAndEnd {
  readonly starts: Span;
  readonly ends: Span;
}

/**
 * https://hl7.org/fhir/R4/search.html#prefix, but `ge` and `le` also match a period that only partly
 * overlaps the value: one that ends on a day is in effect on that day.
 */
function conditionsOf({ prefix, start, end }: DateValue): Conditions {
  switch (prefix) {
    case 'eq':
      return { both: within({ start, end }) };
    case 'ne':
      return { starts: { from: FIRST, to: start }, ends: { from: end + 1, to: LAST } };
    case 'gt':
      return { ends: { from: end + 1, to: LAST } };
    case 'lt':
      return { starts: { from: FIRST, to: start } };
    case 'ge':
      return { ends: { from: start + 1, to: LAST } };
    case 'le':
      return { starts: { from: FIRST, to: end } };
    case 'sa':
      return { starts: { from: end, to: LAST } };
    case 'eb':
      return { ends: { from: FIRST, to: start + 1 } };
    case 'ap':
      return { both: { starts: { from: FIRST, to: end }, ends: { from: start + 1, to: LAST } } };
    default:
      throw new Error(`Unknown prefix: ${prefix satisfies never}`);
  }
}

/** The period is within the value. Both ends of each span are limited, so that fewer rows are read. */
function within({ start, end }: Pick<DateValue, 'start' | 'end'>): StartAndEnd {
  return { starts: { from: start, to: end }, ends: { from: start + 1, to: end + 1 } };
}

/** The rows of the periods that start and end within two spans: the fewer rows, filtered. */
function rowsOfBoth(dates: PeriodDates, spans: StartAndEnd): RowSet {
  const byStart = rowsOfSpan(dates.starts, spans.starts);
  const byEnd = rowsOfSpan(dates.ends, spans.ends);
  const isFewer = byStart.to - byStart.from < byEnd.to - byEnd.from;
  const [fewer, other] = isFewer ? [byStart, byEnd] : [byEnd, byStart];
  const { from, to } = other;
  const { rank } = other.ranked;
  const rows = fewer.ranked.order
    .subarray(fewer.from, fewer.to)
    .filter((row) => rank[row]! >= from && rank[row]! < to);
  return { kind: 'hits', rows, from: 0, to: rows.length, distinct: true };
}
