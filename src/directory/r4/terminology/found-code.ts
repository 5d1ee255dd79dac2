/** A code that a code system of the R4 face has. */
import type { CodeProperty } from '../../edition/code-systems.ts';

export interface FoundCode {
  readonly code: string;
  readonly display?: string | undefined;
  /**
   * The wanted properties that the code has. Throws a FhirError if the edition does not know one of
   * them.
   */
  properties(wanted: WantedProperties): readonly CodeProperty[];
}

/** Names of properties. `*` stands for all of them. */
export type WantedProperties = ReadonlySet<string>;

export function isWanted(wanted: WantedProperties, property: string): boolean {
  return wanted.has('*') || wanted.has(property);
}
