/**
 * Whether a request for a FHIR address wants a page: its Accept is that of a browser, or `_format`
 * names HTML. Every other request gets FHIR.
 */
import type { FhirRequest } from '../request/request.ts';
import { headerOf, parseHeaderElement, parseHeaderList, weightOf } from './headers.ts';
import { formatNamed } from './negotiate.ts';
import { firstValues } from './query-string.ts';

export function prefersPage(request: FhirRequest): boolean {
  const { headers, query } = request;
  // The requests of programs end here, at little cost.
  if (!mayNameHtml(headers.accept) && (query === '' || !query.includes('html'))) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const format = firstValues(query).get('_format');
  if (format !== undefined) return namesHtmlFormat(format);
  const accept = headerOf(request, 'accept');
  return accept !== undefined && isOfBrowser(accept);
}

function mayNameHtml(accept: FhirRequest['headers'][string]): boolean {
  return accept?.includes(HTML_TYPE) === true;
}

/** FHIR allows `html` and `text/html` as a format. */
function namesHtmlFormat(format: string): boolean {
  const name = parseHeaderElement(format).text.toLowerCase();
  return name === 'html' || name === HTML_TYPE;
}

/** Whether an Accept header prefers HTML to each format of FHIR, and no program sends it by default. */
function isOfBrowser(accept: string): boolean {
  const ranges = parseHeaderList(accept).map((element) => ({
    type: element.text.toLowerCase(),
    q: weightOf(element, 1),
  }));
  const html = Math.max(0, ...ranges.filter(({ type }) => type === HTML_TYPE).map(({ q }) => q));
  if (html === 0 || isOfJava(ranges)) return false;
  return ranges.every(
    ({ type, q }) => (type.endsWith('*') ? q <= html : q < html) || !isFhirRange(type),
  );
}

interface MediaRange {
  readonly type: string;
  readonly q: number;
}

/**
 * Java's HttpURLConnection sends `text/html, image/gif, image/jpeg, …` if its program names no type.
 * Browsers that name images also name XHTML.
 */
function isOfJava(ranges: readonly MediaRange[]): boolean {
  return (
    ranges.some(({ type }) => type.startsWith('image/')) &&
    !ranges.some(({ type }) => type === 'application/xhtml+xml')
  );
}

/** Whether FHIR is an answer for the media range. */
function isFhirRange(type: string): boolean {
  return WILDCARDS.has(type) || formatNamed(type) !== undefined;
}

const HTML_TYPE = 'text/html';

const WILDCARDS: ReadonlySet<string> = new Set(['*/*', '*', 'application/*', 'text/*']);
