/**
 * Knows how many relationships of some types and statuses are in effect in a period, without finding
 * them: those that have started, less those that have ended.
 */
import type { IndexCriterion } from '../../../fhir/search/criterion.ts';
import type { DateCriterion } from '../../../fhir/search/date.ts';
import type { NamedArrays } from '../../record/arrays.ts';
import { GrowingArray } from '../../record/growing-array.ts';
import type { PeriodRecord } from '../../record/record.ts';
import { doublesNamed, wordsNamed } from '../array-named.ts';
import { listCodes, listedCodes } from './code-lists.ts';
import type { ColumnBuilder } from './column.ts';
import type { Totals } from './columns.ts';
import { FIRST, LAST } from './date-column.ts';
import { conditionsOf, createPeriodReader } from './period-column.ts';
import { isAnyCode, plainCodeOf } from './token-columns.ts';

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
  const kinds: string[] = [];
  const times: { readonly starts: Times; readonly ends: Times }[] = [];
  const codesOf = Object.values(codes);
  const numberOf = createKindNumbers();
  const entryOf = createPeriodReader();
  return {
    add: (_row, item) => {
      const entry = entryOf(periodOf(item));
      if (entry === undefined) return;
      const kind = numberOf(codesOf, item);
      if (kind === kinds.length) {
        kinds.push(codesOf.map((codeOf) => codeOf(item)).join(SEPARATOR));
        times.push({ starts: createTimes(), ends: createTimes() });
      }
      const { starts, ends } = times[kind]!;
      starts.push(entry.start);
      ends.push(entry.end);
    },
    finish: () => ({
      ...listCodes(prefix, kinds),
      ...timeArrays(
        `${prefix}.start`,
        times.map(({ starts }) => starts),
      ),
      ...timeArrays(
        `${prefix}.end`,
        times.map(({ ends }) => ends),
      ),
    }),
  };
}

interface KindNode {
  readonly next: Map<string, KindNode>;
  number: number;
}

/** Numbers the kinds from 0 by their codes, without creating a string for each record. */
function createKindNumbers() {
  const root: KindNode = { next: new Map(), number: -1 };
  let count = 0;
  return <Item>(codesOf: readonly ((item: Item) => string)[], item: Item): number => {
    let node = root;
    for (const codeOf of codesOf) {
      const code = codeOf(item);
      let next = node.next.get(code);
      if (next === undefined) {
        next = { next: new Map(), number: -1 };
        node.next.set(code, next);
      }
      node = next;
    }
    if (node.number < 0) node.number = count++;
    return node.number;
  };
}

/** A time for each row of a kind, in any order. */
type Times = GrowingArray<Float64Array>;

function createTimes(): Times {
  return new GrowingArray(Float64Array, 1 << 6);
}

/** The times of kind `k` are `times[first[k]..first[k + 1])`; `counts` has the rows up to each. */
function timeArrays(prefix: string, kinds: readonly Times[]): NamedArrays {
  const first = [0];
  const times: number[] = [];
  const counts: number[] = [];
  for (const { array, length } of kinds) {
    const sorted = array.slice(0, length).sort();
    sorted.forEach((time, at) => {
      if (time === sorted[at + 1]) return;
      times.push(time);
      counts.push(at + 1);
    });
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
        return criterion.values.some((value) => isAnyCode(value) || plainCodeOf(value) === code);
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
