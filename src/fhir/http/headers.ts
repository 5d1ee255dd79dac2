/**
 * Headers of HTTP (RFC 9110): lists with weights and parameters, entity tags, dates, and conditional
 * requests. The time is linear in the length of a header, which the listener limits.
 */
import type { FhirRequest } from '../request/request.ts';

/** A header that may be sent once. The first value if it was sent more often. */
export function headerOf(request: FhirRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Milliseconds since 1970 as an HTTP date: `Sat, 01 Apr 2017 00:00:00 GMT`. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/**
 * Whether the client's copy is still valid, so that the answer to a GET or HEAD is 304. If the
 * client sends `If-None-Match`, the server ignores `If-Modified-Since`. `If-Modified-Since` must
 * equal Last-Modified exactly: another directory at this address can have earlier dates.
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
function matchesEtag(list: string, etag: string): boolean {
  const tags = parseEntityTags(list);
  return tags === '*' || tags?.includes(etag.slice(etag.indexOf('"') + 1, -1)) === true;
}

/** An element of a list, such as `text/html;q=0.5`. */
export interface HeaderElement {
  /** The text before the first semicolon, as sent. */
  readonly text: string;
  /** The first value of each parameter, without quotation marks, by its name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The elements of a list. Empty elements are left out. */
export function parseHeaderList(header: string): HeaderElement[] {
  return splitOutsideQuotes(header, ',')
    .filter((element) => element !== '')
    .map(parseHeaderElement);
}

/** An element of a list, or a header with one value and parameters, such as Content-Type. */
export function parseHeaderElement(element: string): HeaderElement {
  if (!element.includes(';')) return { text: element.trim(), parameters: NO_PARAMETERS };
  const [text = '', ...rest] = splitOutsideQuotes(element, ';');
  // In reverse, so that the first of repeated parameters remains.
  return { text, parameters: new Map(rest.map(parseHeaderParameter).reverse()) };
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** The name in lower case, and the value without quotation marks: `handling="strict"`. */
export function parseHeaderParameter(parameter: string): [name: string, value: string] {
  const equals = parameter.indexOf('=');
  if (equals < 0) return [parameter.trim().toLowerCase(), ''];
  const value = parameter.slice(equals + 1).trim();
  return [parameter.slice(0, equals).trim().toLowerCase(), unquoted(value)];
}

/** The weight `q` from 0 to 1: 1 if it is absent, and `invalidWeight` if it is not a number. */
export function weightOf({ parameters }: HeaderElement, invalidWeight: 0 | 1): number {
  const weight = Number.parseFloat(parameters.get('q') ?? '1');
  return Number.isNaN(weight) ? invalidWeight : Math.min(1, Math.max(0, weight));
}

/**
 * The opaque tags of `W/"1", "2"`, without quotation marks and without the suffix of a proxy that
 * compresses; undefined if the header is not a list of entity tags. `*` stands for every tag.
 */
export function parseEntityTags(header: string): readonly string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  let end = 0;
  ENTITY_TAG.lastIndex = 0;
  for (let found = ENTITY_TAG.exec(header); found !== null; found = ENTITY_TAG.exec(header)) {
    tags.push((found[1] ?? '').replace(COMPRESSED, ''));
    end = ENTITY_TAG.lastIndex;
  }
  const isWhole = end === header.length || /^[\s,]*$/.test(header.slice(end));
  return tags.length > 0 && isWhole ? tags : undefined;
}

/** The suffix that Apache, Caddy and Jetty add to the tag of a body that they compress: `1-gzip`. */
const COMPRESSED = /[-;]{1,2}(?:gzip|br|zstd|deflate)$/;

/** An element with the commas before it. A backslash in a tag does not escape the next character. */
const ENTITY_TAG = /[\s,]*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?=,|$)/y;

/**
 * The parts between separators, without surrounding spaces. A quoted string without its end
 * reaches to the end of the text.
 */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') i += 1;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

/** The content of a quoted string; any other value as it is. */
function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.slice(1).replace(/"$/, '').replaceAll(/\\(.)/g, '$1');
}

/** The value of a preference in lower case. If the preference is repeated, the first one counts. */
export function preferredValue(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const { text } of parseHeaderList(header)) {
    const [preference, value] = parseHeaderParameter(text);
    if (preference === name) return value.toLowerCase();
  }
  return undefined;
}
