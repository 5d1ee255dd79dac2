/** The fields of an index: one table of columns, by the type of their search parameters. */
import type { DateCriterion, DateEntry } from '../../fhir/search/date.ts';
import type { StringCriterion, StringEntry } from '../../fhir/search/string.ts';
import type { TokenCriterion, TokenEntry } from '../../fhir/search/token.ts';
import type { Column } from './column.ts';

/** The names of the properties are the fields of criteria. */
export interface Columns<Item> {
  readonly string: Readonly<Record<string, Column<Item, StringCriterion, StringEntry>>>;
  readonly token: Readonly<Record<string, Column<Item, TokenCriterion, TokenEntry>>>;
  readonly date: Readonly<Record<string, Column<Item, DateCriterion, DateEntry>>>;
}

/** The criteria over the fields of a table. */
export type CriterionOf<Table extends Columns<never>> =
  | StringCriterion<FieldOf<Table, 'string'>>
  | TokenCriterion<FieldOf<Table, 'token'>>
  | DateCriterion<FieldOf<Table, 'date'>>;

/** The fields of a table whose parameters have this type. */
export type FieldOf<Table extends Columns<never>, Type extends keyof Columns<never>> = Extract<
  keyof Table[Type],
  string
>;
