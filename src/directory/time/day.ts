/** A day as requests and records have it. */
import { type DatePeriod, dateEntries } from '../../fhir/search/date.ts';

/** The period of a day `YYYY-MM-DD`; undefined for any other text. */
export function dayPeriod(text: string): DatePeriod | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? dateEntries(text)[0] : undefined;
}
