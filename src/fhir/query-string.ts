/** The query part of a URL as pairs: percent-decoding as forms have it. */

export interface Pair {
  readonly name: string;
  readonly value: string;
  /** Its escapes are not UTF-8: name and value are then as they stand. */
  readonly isMalformed: boolean;
}

/** The pairs in their order. */
export function parseQueryString(query: string): Pair[] {
  const pairs: Pair[] = [];
  if (query === '') return pairs;
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    try {
      pairs.push({ name: decode(name), value: decode(value), isMalformed: false });
    } catch {
      pairs.push({ name, value, isMalformed: true });
    }
  }
  return pairs;
}

/** One pair as it stands in a URL; the colon before a modifier stays as it is. */
export function formatPair({ name, value }: Pick<Pair, 'name' | 'value'>): string {
  const encoded = PLAIN_NAME.test(name) ? name : encodeURIComponent(name);
  return `${encoded}=${encodeURIComponent(value)}`;
}

/** The names of parameters, with the colon before a modifier. */
const PLAIN_NAME = /^[\w:-]+$/;

/** Throws a URIError. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  return decodeURIComponent(text.replaceAll('+', ' '));
}
