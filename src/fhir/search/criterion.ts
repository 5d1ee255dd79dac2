/** A search as plain data: the parsers of parameters make it, and each index compiles it. */
import type { DateCriterion, DateEntry } from './date.ts';
import type { StringCriterion, StringEntry } from './string.ts';
import type { TokenCriterion, TokenEntry } from './token.ts';

/**
 * One condition of a search. The file of each parameter type defines the criterion and the index
 * entries of that type.
 */
export type Criterion<Field extends string = string> =
  | DateCriterion<Field>
  | StringCriterion<Field>
  | TokenCriterion<Field>;

/** One value of a resource, as an index holds it for a field. */
export type IndexEntry = DateEntry | StringEntry | TokenEntry;

/** All criteria must hold. A query without criteria matches every resource. */
export interface Query<C extends Criterion = Criterion> {
  readonly criteria: readonly C[];
}
