/**
 * Negated criteria, for the modifier `:not`.
 * https://hl7.org/fhir/R4/search.html#modifiers
 */

/** Matches every resource that the other criterion does not match. */
export interface NotCriterion<C> {
  readonly type: 'not';
  readonly criterion: C;
}
