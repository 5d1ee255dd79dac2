/** What a parser of a parameter makes of it: a value, or what is wrong. */
import type { ErrorKind, Issue } from '../../../fhir/fhir-error.ts';

export type Parsed<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

export function refused(kind: ErrorKind, diagnostics: string): { issues: readonly Issue[] } {
  return { issues: [{ kind, diagnostics }] };
}

/** What all alternatives together are, or what is wrong with each of those that do not do. */
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
