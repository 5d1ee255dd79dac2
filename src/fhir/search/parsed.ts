/** The result of parsing the value of a search parameter: a value, or the problems found. */
import type { ErrorKind, Issue } from '../service/fhir-error.ts';

export type Parsed<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

export function refused(kind: ErrorKind, diagnostics: string): { issues: readonly Issue[] } {
  return { issues: [{ kind, diagnostics }] };
}

/** Parses each alternative, then combines the values. Returns the problems of all alternatives. */
export function parseEach<A, T, R>(
  alternatives: readonly A[],
  parse: (alternative: A) => Parsed<T>,
  combine: (values: readonly T[]) => R,
): Parsed<R> {
  const values: T[] = [];
  const issues: Issue[] = [];
  for (const alternative of alternatives) {
    const parsed = parse(alternative);
    if ('issues' in parsed) issues.push(...parsed.issues);
    else values.push(parsed.value);
  }
  return issues.length > 0 ? { issues } : { value: combine(values) };
}
