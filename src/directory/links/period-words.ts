/**
 * Periods as pairs of 32-bit words. A word has the day from bit 0, the precision of the date from bit
 * 22, and in bit 24 of the word of the start whether the period is Legal.
 */
import type { PeriodRecord } from '../record.ts';

export function startWord({ kind, start }: PeriodRecord): number {
  return memoized(words, start, toWord) | (kind === 'Legal' ? LEGAL : 0);
}

export function endWord({ end }: PeriodRecord): number {
  return end === undefined ? NO_END : memoized(words, end, toWord);
}

export function periodOf(start: number, end: number): PeriodRecord {
  return {
    kind: (start & LEGAL) === 0 ? 'Operational' : 'Legal',
    start: memoized(texts, start & ~LEGAL, toText),
    ...(end !== NO_END && { end: memoized(texts, end, toText) }),
  };
}

const DAY_MS = 86_400_000;
const YEAR_0_MS = Date.parse('0000-01-01');
/** Year 9999 ends before day 3,652,425. */
const DAY_MASK = 2 ** 22 - 1;
const PRECISION_SHIFT = 22;
const PRECISION_MASK = 3;
const LEGAL = 1 << 24;
const NO_END = 0xffff_ffff;

/** The lengths of `YYYY-MM-DD`, `YYYY-MM` and `YYYY`. */
const LENGTHS: readonly number[] = [10, 7, 4];

/** Many periods share few dates, and conversions take most of the time. */
const DATES_MAX = 65_536;
const words = new Map<string, number>();
const texts = new Map<number, string>();

function memoized<Key, Value>(known: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make(key);
    if (known.size >= DATES_MAX) known.clear();
    known.set(key, value);
  }
  return value;
}

/** A date of any other form is not valid in a relation. */
function toWord(date: string): number {
  const precision = LENGTHS.indexOf(date.length);
  const day = (Date.parse(date) - YEAR_0_MS) / DAY_MS;
  if (precision < 0 || !Number.isInteger(day) || day < 0) {
    throw new RangeError(`"${date}" is not a date of a relationship or a succession.`);
  }
  return day | (precision << PRECISION_SHIFT);
}

function toText(word: number): string {
  const precision = (word >>> PRECISION_SHIFT) & PRECISION_MASK;
  const text = new Date((word & DAY_MASK) * DAY_MS + YEAR_0_MS).toISOString();
  return text.slice(0, LENGTHS[precision]);
}
