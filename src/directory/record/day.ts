/** Days as requests and records have them. */
import { type DatePeriod, dateEntries } from '../../fhir/search/date.ts';

/** The period of a day `YYYY-MM-DD`; undefined for any other text. */
export function dayPeriod(text: string): DatePeriod | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? dateEntries(text)[0] : undefined;
}

/** The first day of a date `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
export function firstDay(date: string): string;
export function firstDay(date: string | undefined): string | undefined;
export function firstDay(date: string | undefined): string | undefined {
  if (date === undefined) return undefined;
  return date.length >= DAY_LENGTH ? date.slice(0, DAY_LENGTH) : `${date}-01-01`.slice(0, 10);
}

/** The last day of such a date. */
export function lastDay(date: string): string;
export function lastDay(date: string | undefined): string | undefined;
export function lastDay(date: string | undefined): string | undefined {
  if (date === undefined) return undefined;
  if (date.length >= DAY_LENGTH) return date.slice(0, DAY_LENGTH);
  const [year, month = '12'] = date.split('-');
  return textOf(Number(year), Number(month), 0);
}

/** `day` as `YYYY-MM-DD`. `days` can be negative. */
export function daysAfter(day: string, days: number): string {
  const [year, month, date] = day.split('-').map(Number);
  return textOf(year!, month! - 1, date! + days);
}

const DAY_LENGTH = 10;

/** `month` counts from 0. Numbers beyond a month or a year count on. */
function textOf(year: number, month: number, date: number): string {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, DAY_LENGTH);
}
