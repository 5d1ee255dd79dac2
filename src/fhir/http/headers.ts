/** HTTP's validators: dates, entity tags and conditional requests (RFC 9110, section 13). */

import { type FhirRequest, headerOf } from '../service/request.ts';
import { parseEntityTags } from './header-list.ts';

/** Milliseconds since 1970 as an HTTP date: `Sat, 01 Apr 2017 00:00:00 GMT`. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/**
 * Whether the client's copy is still valid, so that the answer to a GET or HEAD is 304. If the
 * client sends `If-None-Match`, the server ignores `If-Modified-Since`. `If-Modified-Since` must
 * equal Last-Modified exactly: after a rollback Last-Modified is earlier than before, and a copy
 * with the later date is not valid.
 */
export function isNotModified(
  request: FhirRequest,
  etag: string,
  lastModified: string | undefined,
): boolean {
  const tags = headerOf(request, 'if-none-match');
  if (tags !== undefined) return matchesEtag(tags, etag);
  const since = headerOf(request, 'if-modified-since') ?? '';
  // Two missing dates are not equal: the first is undefined, the second NaN.
  return parseHttpDate(since) === Date.parse(lastModified ?? '');
}

/**
 * Milliseconds since 1970; undefined if the text has none of the three date formats of RFC
 * 9110, section 5.6.7.
 */
export function parseHttpDate(text: string, now = Date.now): number | undefined {
  const parts = HTTP_DATES.map((form) => form.exec(text)?.groups).find((groups) => groups);
  if (parts === undefined) return undefined;
  const { day = '', month = '', year = '', time } = parts;
  const monthDigits = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const dayDigits = day.trim().padStart(2, '0');
  const yearDigits = year.length === 2 ? fullYear(Number(year), now) : year;
  const ms = Date.parse(`${yearDigits}-${monthDigits}-${dayDigits}T${time}Z`);
  // `Date` accepts 30 February as 2 March, and 24:00:00 as the next day.
  return new Date(ms).getUTCDate() === Number(dayDigits) ? ms : undefined;
}

/**
 * A two-digit year more than 50 years in the future means the most recent past year with these
 * digits.
 */
function fullYear(year: number, now: () => number): number {
  const thisYear = new Date(now()).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + year;
  return inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<time>\\d{2}:\\d{2}:\\d{2})';
const HTTP_DATES = [
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`,
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`,
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`,
].map((form) => new RegExp(form));

/** Whether a list of entity tags contains a tag. The comparison is weak: `W/"a"` equals `"a"`. */
export function matchesEtag(list: string, etag: string): boolean {
  const tags = parseEntityTags(list);
  return tags === '*' || tags?.includes(etag.slice(etag.indexOf('"') + 1, -1)) === true;
}
