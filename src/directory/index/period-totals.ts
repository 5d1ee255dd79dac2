/**
 * Knows how many relationships of some types and statuses are in effect in a period, without finding
 * them: those that have started, less those that have ended.
 */
import type { IndexCriterion } from '../../fhir/search/criterion.ts';
import type { DateCriterion } from '../../fhir/search/date.ts';
import type { NamedArrays } from '../arrays.ts';
import type { PeriodRecord } from '../record.ts';
import { doublesNamed, wordsNamed } from './array-named.ts';
import { listCodes, listedCodes } from './code-lists.ts';
import type { ColumnBuilder } from './column.ts';
import type { Totals } from './columns.ts';
import { FIRST, LAST } from './date-column.ts';
import { conditionsOf, createPeriodReader } from './period-column.ts';
import { plainCodeOf } from './token-columns.ts';

/** The fields of the criteria, and how a record has them. A kind is one code of each token field. */
export interface PeriodFields<Item> {
  readonly codes: Readonly<Record<string, (item: Item) => string>>;
  readonly period: string;
  readonly periodOf: (item: Item) => PeriodRecord | undefined;
}

/** `prefix` begins the names of the arrays. */
export function periodTotals<Item>(prefix: string, fields: PeriodFields<Item>): Totals<Item> {
  return {
    build: () => totalsBuilder(prefix, fields),
    open: (arrays) => openTotals(prefix, fields, arrays),
  };
}

function totalsBuilder<Item>(
  prefix: string,
  { codes, periodOf }: PeriodFields<Item>,
): ColumnBuilder<Item> {
  const kinds = new Map<string, { starts: TimeCounts; ends: TimeCounts }>();
  const codesOf = Object.values(codes);
  const entryOf = createPeriodReader();
  return {
    add: (_row, item) => {
      const entry = entryOf(periodOf(item));
      if (entry === undefined) return;
      const kind = codesOf.map((codeOf) => codeOf(item)).join(SEPARATOR);
      let counts = kinds.get(kind);
      if (counts === undefined) {
        counts = { starts: new Map(), ends: new Map() };
        kinds.set(kind, counts);
      }
      const { starts, ends } = counts;
      starts.set(entry.start, (starts.get(entry.start) ?? 0) + 1);
      ends.set(entry.end, (ends.get(entry.end) ?? 0) + 1);
    },
    finish: () => ({
      ...listCodes(prefix, kinds.keys()),
      ...timeArrays(
        `${prefix}.start`,
        Array.from(kinds.values(), ({ starts }) => starts),
      ),
      ...timeArrays(
        `${prefix}.end`,
        Array.from(kinds.values(), ({ ends }) => ends),
      ),
    }),
  };
}

/** Time → the number of rows of a kind that have it. */
type TimeCounts = Map<number, number>;

/** The times of kind `k` are `times[first[k]..first[k + 1])`; `counts` has the rows up to each. */
function timeArrays(prefix: string, kinds: readonly TimeCounts[]): NamedArrays {
  const first = [0];
  const times: number[] = [];
  const counts: number[] = [];
  for (const kind of kinds) {
    let total = 0;
    for (const [time, count] of [...kind].sort(([one], [other]) => one - other)) {
      total += count;
      times.push(time);
      counts.push(total);
    }
    first.push(times.length);
  }
  return {
    [`${prefix}.first`]: Uint32Array.from(first),
    [`${prefix}.times`]: Float64Array.from(times),
    [`${prefix}.counts`]: Uint32Array.from(counts),
  };
}

function openTotals<Item>(prefix: string, fields: PeriodFields<Item>, arrays: NamedArrays) {
  const kinds = listedCodes(prefix, arrays).map((kind) => kind.split(SEPARATOR));
  const startedBefore = openTimes(`${prefix}.start`, arrays);
  const endedBefore = openTimes(`${prefix}.end`, arrays);
  const tokens = Object.keys(fields.codes);
  return (criteria: readonly IndexCriterion[]): number | undefined => {
    let startBefore = LAST;
    let endFrom = FIRST;
    for (const criterion of criteria) {
      if (criterion.type === 'token' && !criterion.ignoreCase && tokens.includes(criterion.field)) {
        continue;
      }
      const span = spanOf(criterion, fields.period);
      if (span === undefined) return undefined;
      startBefore = Math.min(startBefore, span.startBefore);
      endFrom = Math.max(endFrom, span.endFrom);
    }
    const hasPeriod = startBefore < LAST || endFrom > FIRST;
    // Each relationship that has ended by then must also have started.
    if (!hasPeriod || endFrom > startBefore + 1) return undefined;
    const isWanted = (kind: readonly string[]) =>
      criteria.every((criterion) => {
        if (criterion.type !== 'token') return true;
        const code = kind[tokens.indexOf(criterion.field)];
        return criterion.values.some((value) => plainCodeOf(value) === code);
      });
    let total = 0;
    for (const [number, kind] of kinds.entries()) {
      if (isWanted(kind))
        total += startedBefore(number, startBefore) - endedBefore(number, endFrom);
    }
    return total;
  };
}

/** What a criterion asks of the periods. Undefined: something that is not counted. */
function spanOf(criterion: IndexCriterion, field: string) {
  if (criterion.type !== 'date' || criterion.field !== field) return undefined;
  const { values }: DateCriterion = criterion;
  const [value] = values;
  if (value === undefined || values.length > 1) return undefined;
  const { both, starts = both?.starts, ends = both?.ends } = conditionsOf(value);
  // The two conditions of `ne` are alternatives.
  if (both === undefined && starts !== undefined && ends !== undefined) return undefined;
  if ((starts?.from ?? FIRST) > FIRST || (ends?.to ?? LAST) < LAST) return undefined;
  return { startBefore: starts?.to ?? LAST, endFrom: ends?.from ?? FIRST };
}

/** The number of rows of a kind whose time is before another. */
function openTimes(prefix: string, arrays: NamedArrays): (kind: number, before: number) => number {
  const first = wordsNamed(arrays, `${prefix}.first`);
  const times = doublesNamed(arrays, `${prefix}.times`);
  const counts = wordsNamed(arrays, `${prefix}.counts`);
  return (kind, before) => {
    const start = first[kind]!;
    let low = start;
    let high = first[kind + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (times[middle]! < before) low = middle + 1;
      else high = middle;
    }
    return low === start ? 0 : counts[low - 1]!;
  };
}

const SEPARATOR = '|';
