/** A day as requests and records have it. */
import { type DatePeriod, dateEntries } from '../../fhir/search/date.ts';

/** The period of a day `YYYY-MM-DD`; undefined for any other text. */
export function dayPeriod(text: string): DatePeriod | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? dateEntries(text)[0] : undefined;
}

/** The first day of a date: FHIR sources have dates without a day or a month, which mean the whole. */
export function firstDay(date: string | undefined): string | undefined {
  return date && `${date}-01-01`.slice(0, 10);
}

/** The last day of it. */
export function lastDay(date: string | undefined): string | undefined {
  if (date === undefined || date.length === 10) return date;
  const [year = '', month = '12'] = date.split('-');
  const last = new Date(`${year}-${month}-01`);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return `${year}-${month}-${last.getUTCDate()}`;
}
