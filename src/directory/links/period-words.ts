/**
 * Periods as pairs of 32-bit words. A word has the day from bit 0, the precision of the date from bit
 * 22, and in bit 24 of the word of the start whether the period is Legal. Without a start, the bits
 * below are set.
 */
import type { PeriodRecord } from '../record/record.ts';

export function startWord({ kind, start }: PeriodRecord): number {
  const word = start === undefined ? NO_START : toWord(start);
  return word | (kind === 'Legal' ? LEGAL : 0);
}

export function endWord({ end }: PeriodRecord): number {
  return end === undefined ? NO_END : toWord(end);
}

export function periodOf(start: number, end: number): PeriodRecord {
  const first = start & ~LEGAL;
  return {
    kind: (start & LEGAL) === 0 ? 'Operational' : 'Legal',
    ...(first !== NO_START && { start: textOf(first) }),
    ...(end !== NO_END && { end: textOf(end) }),
  };
}

const DAY_MS = 86_400_000;
const YEAR_0_MS = Date.parse('0000-01-01');
/** Year 9999 ends before day 3,652,425. */
const DAY_MASK = 2 ** 22 - 1;
const PRECISION_SHIFT = 22;
const PRECISION_MASK = 3;
const LEGAL = 1 << 24;
const NO_START = LEGAL - 1;
const NO_END = 0xffff_ffff;

/** The lengths of `YYYY-MM-DD`, `YYYY-MM` and `YYYY`. */
const LENGTHS: readonly number[] = [10, 7, 4];

/** Many periods share few dates, and conversions take most of the time. */
const DATES_MAX = 65_536;
/** The words of full dates by their digits, because hashing a number is faster than a string. */
const words = new Map<number, number>();
const texts = new Map<number, string>();

function toWord(date: string): number {
  const digits = digitsOf(date);
  const known = words.get(digits);
  if (known !== undefined) return known;
  const word = parseWord(date);
  if (digits >= 0) remember(words, digits, word);
  return word;
}

/** 20190401 for `2019-04-01`; negative for a text of another form. */
function digitsOf(date: string): number {
  if (date.length !== 10 || date[4] !== '-' || date[7] !== '-') return -1;
  let digits = 0;
  for (let index = 0; index < 10; index++) {
    if (index === 4 || index === 7) continue;
    const digit = date.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    digits = digits * 10 + digit;
  }
  return digits;
}

/** A date of any other form is not valid in a relation. */
function parseWord(date: string): number {
  const precision = LENGTHS.indexOf(date.length);
  const day = (Date.parse(date) - YEAR_0_MS) / DAY_MS;
  if (precision < 0 || !Number.isInteger(day) || day < 0) {
    throw new RangeError(`"${date}" is not a date of a relationship or a succession.`);
  }
  return day | (precision << PRECISION_SHIFT);
}

function textOf(word: number): string {
  const known = texts.get(word);
  if (known !== undefined) return known;
  const text = toText(word);
  remember(texts, word, text);
  return text;
}

function remember<Value>(known: Map<number, Value>, key: number, value: Value): void {
  if (known.size >= DATES_MAX) known.clear();
  known.set(key, value);
}

function toText(word: number): string {
  const precision = (word >>> PRECISION_SHIFT) & PRECISION_MASK;
  const text = new Date((word & DAY_MASK) * DAY_MS + YEAR_0_MS).toISOString();
  return text.slice(0, LENGTHS[precision]);
}
