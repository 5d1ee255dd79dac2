/**
 * Criteria over several components of one item, such as the type and the target of a relationship.
 * https://hl7.org/fhir/R4/search.html#composite
 */

/** One item of a resource, as an index holds it: the code of each component. */
export type CompositeEntry = Readonly<Record<string, string>>;

/** Matches a resource if one item of its field has all components. */
export interface CompositeCriterion<Field extends string = string> {
  readonly type: 'composite';
  readonly field: Field;
  /** The codes of each component, of which the item must have one. Others do not matter. */
  readonly components: Readonly<Record<string, readonly string[]>>;
}
