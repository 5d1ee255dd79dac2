/** The query part of a URL as pairs: percent-decoding as forms have it, strict about UTF-8. */
import { FhirError } from './fhir-error.ts';

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The pairs in their order. Throws `invalid-value` where an escape is not UTF-8. */
export function parseQueryString(query: string): Pair[] {
  if (query === '') return [];
  return query.split('&').flatMap((part) => {
    if (part === '') return [];
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    return [{ name: decode(name, part), value: decode(value, part) }];
  });
}

/** One pair as it stands in a URL; the colon before a modifier stays as it is. */
export function formatPair({ name, value }: Pair): string {
  const encoded = PLAIN_NAME.test(name) ? name : encodeURIComponent(name);
  return `${encoded}=${encodeURIComponent(value)}`;
}

/** The names of parameters, with the colon before a modifier. */
const PLAIN_NAME = /^[\w:-]+$/;

function decode(text: string, part: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new FhirError([
      {
        kind: 'invalid-value',
        diagnostics:
          `The query parameter "${part}" is not percent-encoded UTF-8. ` +
          'Write a percent sign as %25 and other characters as UTF-8 escapes.',
      },
    ]);
  }
}
