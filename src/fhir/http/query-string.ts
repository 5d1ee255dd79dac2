/** Parses the query part of a URL, or a form, into pairs of name and value. */
import { FhirError, type Issue } from '../request/fhir-error.ts';

/** The most pairs in one request. */
export const PAIRS_MAX = 50;

export interface Pair {
  readonly name: string;
  readonly value: string;
  /** Its escapes are not valid UTF-8. Name and value are then not decoded. */
  readonly isMalformed: boolean;
}

/**
 * The pairs, in order. Throws a FhirError if there are more than PAIRS_MAX. The first pair of each
 * name in `free` does not count.
 */
export function parseQueryString(query: string, free: readonly string[] = []): Pair[] {
  const pairs: Pair[] = [];
  const unused = new Set(free);
  let counted = 0;
  for (const pair of pairsOf(query)) {
    if (!unused.delete(pair.name)) counted += 1;
    if (counted > PAIRS_MAX) throw TOO_MANY_PARAMETERS;
    pairs.push(pair);
  }
  return pairs;
}

export const TOO_MANY_PARAMETERS = FhirError.of(
  'invalid-parameter',
  `More than ${PAIRS_MAX} parameters were supplied; at most ${PAIRS_MAX} are allowed.`,
);

/** The value of the first pair of each name, among the first LOOKED_AT_MAX pairs. */
export function firstValues(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { name, value } of pairsOf(query).take(LOOKED_AT_MAX)) {
    if (!values.has(name)) values.set(name, value);
  }
  return values;
}

/** More pairs than a request may have, including those that do not count. */
const LOOKED_AT_MAX = 2 * PAIRS_MAX;

/** Decodes each pair when it is read, not before. */
function* pairsOf(query: string): Generator<Pair, undefined> {
  let start = 0;
  while (start < query.length) {
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    if (end > start) yield pairOf(query.slice(start, end));
    start = end + 1;
  }
}

function pairOf(part: string): Pair {
  const equals = part.indexOf('=');
  const name = equals < 0 ? part : part.slice(0, equals);
  const value = equals < 0 ? '' : part.slice(equals + 1);
  try {
    return { name: decode(name), value: decode(value), isMalformed: false };
  } catch {
    return { name, value, isMalformed: true };
  }
}

/** Why a malformed pair is refused. */
export function malformedPairIssue({ name, value }: Pair): Issue {
  return {
    kind: 'invalid-value',
    diagnostics:
      `The query parameter "${name}=${value}" is not percent-encoded UTF-8. ` +
      'Write a percent sign as %25 and other characters as UTF-8 escapes.',
  };
}

/** One pair as a URL has it. The colon before a modifier is not encoded. */
export function formatPair({ name, value }: Pick<Pair, 'name' | 'value'>): string {
  const encoded = PLAIN_NAME.test(name) ? name : encodeURIComponent(name);
  return `${encoded}=${encodeURIComponent(value)}`;
}

/** The names of parameters with their modifiers. */
const PLAIN_NAME = /^[\w:-]+$/;

/** Throws a URIError. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  return decodeURIComponent(text.replaceAll('+', ' '));
}
