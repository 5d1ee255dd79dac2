/** HTTP's validators: dates, entity tags and conditional requests (RFC 9110, section 13). */
import { type FhirRequest, headerOf } from './request.ts';

/** Milliseconds since 1970 as an HTTP date: `Sat, 01 Apr 2017 00:00:00 GMT`. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/**
 * Whether the client's copy is still good, so that 304 answers a GET or HEAD. `If-None-Match`
 * counts alone where it is sent. `If-Modified-Since` must be the very date that was sent as
 * Last-Modified: a rollback makes that date an earlier one, and a later copy is then not good.
 */
export function isNotModified(
  request: FhirRequest,
  etag: string,
  lastModified: string | undefined,
): boolean {
  const tags = headerOf(request, 'if-none-match');
  if (tags !== undefined) return matchesEtag(tags, etag);
  const since = headerOf(request, 'if-modified-since');
  if (since === undefined || lastModified === undefined) return false;
  return Date.parse(since) === Date.parse(lastModified) && HTTP_DATE.test(since);
}

/** RFC 9110's three forms of a date begin with a day of the week; ISO dates are none. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** Weak comparison: `W/"a"` and `"a"` are the same. */
function matchesEtag(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  for (const [tag] of list.matchAll(/"[^"]*"/g)) if (tag === opaque) return true;
  return false;
}
