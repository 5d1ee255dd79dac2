/** The result of parsing the value of a search parameter: a value, or the problems found. */
import type { ErrorKind, Issue } from '../request/fhir-error.ts';

export type Parsed<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

export function refused(
  kind: ErrorKind,
  diagnostics: string,
  hint?: string,
): { issues: readonly Issue[] } {
  return { issues: [{ kind, diagnostics, ...(hint !== undefined && { hint }) }] };
}

/** Parses each alternative, then combines the values. Returns the problems of all alternatives. */
export function parseEach<A extends Alternative, T, R>(
  alternatives: readonly A[],
  parse: (alternative: A) => Parsed<T>,
  combine: (values: readonly T[]) => R,
): Parsed<R> {
  const values: T[] = [];
  const issues: Issue[] = [];
  for (const alternative of alternatives) {
    const parsed = parse(alternative);
    if (!('issues' in parsed)) values.push(parsed.value);
    else if (alternatives.length === 1 || !isEmpty(alternative)) issues.push(...parsed.issues);
    else issues.push(...parsed.issues.map((issue) => ({ ...issue, hint: EMPTY_ALTERNATIVE })));
  }
  return issues.length > 0 ? { issues } : { value: combine(values) };
}

const EMPTY_ALTERNATIVE =
  'A comma separates alternatives, and one of them is empty. Write \\, for a comma in a value.';

function isEmpty([first = '', ...others]: Alternative): boolean {
  return others.length === 0 && first.trim() === '';
}

/**
 * One alternative of a value: its parts between pipes. The parts are unescaped. A backslash
 * before a character that needs no escape is kept.
 */
export type Alternative = readonly string[];

/** Returns at least one alternative: an empty value has one, with one empty part. */
export function parseAlternatives(value: string): Alternative[] {
  if (!SPECIAL.test(value)) return [[value]];
  const alternatives: Alternative[] = [];
  let parts: string[] = [];
  let part = '';
  for (let at = 0; at < value.length; at++) {
    const character = value[at]!;
    const next = value[at + 1];
    if (character === '\\' && next !== undefined && ESCAPED.includes(next)) {
      part += next;
      at += 1;
    } else if (character === '|') {
      parts.push(part);
      part = '';
    } else if (character === ',') {
      alternatives.push([...parts, part]);
      parts = [];
      part = '';
    } else {
      part += character;
    }
  }
  alternatives.push([...parts, part]);
  return alternatives;
}

/** The number of alternatives of a value, which takes far less time than to split it. */
export function countAlternatives(value: string): number {
  let count = 1;
  for (let at = value.indexOf(','); at >= 0; at = value.indexOf(',', at + 1)) {
    let backslashes = 0;
    while (value[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) count += 1;
  }
  return count;
}

const ESCAPED = ',|$\\';
/** The separators and the escape character. */
const SPECIAL = /[,|\\]/;
