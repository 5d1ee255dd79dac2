/** A search of the directory: criteria over the fields that its index holds. */
import type { Query } from '../fhir/search/criterion.ts';
import type { DateCriterion } from '../fhir/search/date.ts';
import type { StringCriterion } from '../fhir/search/string.ts';
import type { TokenCriterion } from '../fhir/search/token.ts';
import type { DateField, StringField, TokenField } from './index/columns.ts';

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
