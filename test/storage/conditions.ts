/** Conditions of writes, for the suites of stores. */
import type { Condition, ResourceCriterion } from '../../src/fhir/search/criterion.ts';
import type { TokenCriterion, TokenEntry } from '../../src/fhir/search/token.ts';

/** The parameters are only recorded. */
export function conditionOf(...criteria: ResourceCriterion[]): Condition {
  return { criteria, parameters: 'identifier=tested' };
}

export function criterionOf({ field, ...value }: TokenEntry & { field: string }): TokenCriterion {
  return { type: 'token', field, values: [value] };
}
