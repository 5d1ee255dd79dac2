/** Formats values for people: numbers, dates, roles. */
import type { PeriodRecord } from '../../directory/record/record.ts';

export function formatNumber(value: number): string {
  return NUMBERS.format(value);
}

/** `1 organisation`, `2,000 organisations`. */
export function formatCount(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

/** `name, town and role`: with commas and `and`. */
export function formatList(words: readonly string[]): string {
  return LISTS.format(words);
}

/** `2026-09-01` or an instant as `1 September 2026`; a less precise date as it is. */
export function formatDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number);
  if (year === undefined || month === undefined) return date;
  const format = day === undefined ? MONTHS : DAYS;
  const instant = Date.UTC(year, month - 1, day ?? 1);
  return Number.isNaN(instant) ? date : format.format(instant);
}

/** `from 1 April 2013 to 31 March 2019`, `from 1 April 2013` or `until 31 March 2019`. */
export function formatPeriod({ start, end }: PeriodRecord): string {
  const words = [
    ...(start === undefined ? [] : [`from ${formatDate(start)}`]),
    ...(end === undefined ? [] : [`${start === undefined ? 'until' : 'to'} ${formatDate(end)}`]),
  ];
  return words.join(' ');
}

/** An instant as `1 September 2026, 10:00 UTC`. */
export function formatInstant(instant: string): string {
  return `${formatDate(instant)}, ${instant.slice(11, 16)} UTC`;
}

export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`;
}

/**
 * Displays of roles are published in capitals: `NHS TRUST SITE` reads better as `NHS trust site`.
 * Displays in another case stay as they are.
 */
export function sentenceCase(display: string): string {
  if (display !== display.toUpperCase()) return display;
  const known = SENTENCES.get(display);
  if (known !== undefined) return known;
  let isFirst = true;
  const sentence = display.replace(WORDS, (word) => {
    const starts = isFirst;
    isFirst = false;
    if (ABBREVIATIONS.has(word)) return word;
    const lower = word.toLowerCase();
    return starts || PROPER.has(word) ? lower[0]?.toUpperCase() + lower.slice(1) : lower;
  });
  if (SENTENCES.size >= SENTENCES_MAX) SENTENCES.clear();
  SENTENCES.set(display, sentence);
  return sentence;
}

/** A town in its folded form, `st. ives`, as `St. Ives`. */
export function titleCase(folded: string): string {
  return folded.replace(TOWN_WORDS, (word) =>
    SMALL_WORDS.has(word) ? word : word[0]?.toUpperCase() + word.slice(1),
  );
}

const LISTS = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const NUMBERS = new Intl.NumberFormat('en-GB');
const DAYS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MONTHS = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const WORDS = /[\p{L}\d']+/gu;
const TOWN_WORDS = /[\p{L}']+/gu;
const SMALL_WORDS = new Set(['upon', 'on', 'under', 'by', 'the', 'in', 'of', 'le', 'and', 'cum']);

/** A code system has a few hundred displays. */
const SENTENCES = new Map<string, string>();
const SENTENCES_MAX = 2048;

const ABBREVIATIONS = new Set(
  (
    'C CSA CYPMHS COVID DHA DMIC DMU DSCRO EPACT GP H HA HC ICB ICS IT LA LSP MOD NHS NI OSA PCN PCT ' +
    'PPA RO SMHPC SPHA UK'
  ).split(' '),
);
const PROPER = new Set(
  'ENGLAND ENGLISH IRELAND ISLE LONDON MAN NORTHERN SCOTTISH SCOTLAND WALES WELSH'.split(' '),
);
