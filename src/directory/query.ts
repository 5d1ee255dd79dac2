/** A search of the directory: criteria over the fields that its index holds. */
import type { Query } from '../fhir/search/criterion.ts';
import type { DateCriterion } from '../fhir/search/date.ts';
import type { StringCriterion } from '../fhir/search/string.ts';
import type { TokenCriterion } from '../fhir/search/token.ts';

export type StringField = 'name' | 'postalCode' | 'city';

/**
 * `primaryRole` has the code of the primary role. `otherRole` has the codes of the other roles,
 * except that one. `role` has both.
 */
export type TokenField = 'code' | 'active' | 'role' | 'primaryRole' | 'otherRole';
export type DateField = 'lastUpdated';

export type DirectoryCriterion =
  | StringCriterion<StringField>
  | TokenCriterion<TokenField>
  | DateCriterion<DateField>;

export type DirectoryQuery = Query<DirectoryCriterion>;

/** The rows of one page in order of organisation code, and the number of rows that match in all. */
export interface Page {
  readonly total: number;
  readonly rows: readonly number[];
}
