/** The concepts of code systems: codes with what they mean. */
import type { Concept } from './record.ts';

/** The displays of codes that have one. */
export function displaysOf(concepts: readonly Concept[]): ReadonlyMap<string, string> {
  return new Map(
    concepts.flatMap(({ code, display }) => (display === undefined ? [] : [[code, display]])),
  );
}

/** The first concept of each code, because codes of a code system are unique (csd-1). */
export function uniqueConcepts(concepts: readonly Concept[]): readonly Concept[] {
  const byCode = new Map<string, Concept>();
  for (const concept of concepts) if (!byCode.has(concept.code)) byCode.set(concept.code, concept);
  return [...byCode.values()];
}
