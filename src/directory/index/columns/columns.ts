/** The fields of an index: one table of columns, by the type of their search parameters. */
import type {
  CompositeCriterion,
  CompositeEntry,
  IndexCriterion,
} from '../../../fhir/search/criterion.ts';
import type { DateCriterion, DateEntry } from '../../../fhir/search/date.ts';
import type { NotCriterion } from '../../../fhir/search/negation.ts';
import type { ReferenceCriterion, ReferenceEntry } from '../../../fhir/search/reference.ts';
import type { StringCriterion, StringEntry } from '../../../fhir/search/string.ts';
import type { TokenCriterion, TokenEntry } from '../../../fhir/search/token.ts';
import type { NamedArrays } from '../../record/arrays.ts';
import type { SortColumn } from '../sets/sorted-rows.ts';
import type { BuildColumn, Column, OpenColumn } from './column.ts';

/** The part of a table that a search needs. */
export interface OpenColumns {
  readonly string: Fields<OpenColumn<StringCriterion>>;
  readonly token: Fields<OpenColumn<TokenCriterion>>;
  readonly date: Fields<OpenColumn<DateCriterion>>;
  readonly reference: Fields<OpenColumn<ReferenceCriterion>>;
  readonly composite: Fields<OpenColumn<CompositeCriterion>>;
  /** The fields by which results can be sorted, besides the row. */
  readonly sort: Fields<Pick<SortColumn<never>, 'open'>>;
  readonly totals?: Pick<Totals<never>, 'open'>;
}

/** The names of the properties of each type are the fields of its criteria. */
export interface Columns<Item> extends OpenColumns {
  readonly string: Fields<Column<Item, StringCriterion, StringEntry>>;
  readonly token: Fields<Column<Item, TokenCriterion, TokenEntry>>;
  readonly date: Fields<Column<Item, DateCriterion, DateEntry>>;
  readonly reference: Fields<Column<Item, ReferenceCriterion, ReferenceEntry>>;
  readonly composite: Fields<Column<Item, CompositeCriterion, CompositeEntry>>;
  readonly sort: Fields<SortColumn<Item>>;
  readonly totals?: Totals<Item>;
  /** Arrays that the columns of another index open. The records of this one are their source. */
  readonly forOthers?: readonly BuildColumn<Item>[];
}

/** Knows how many rows some queries match, without finding them. */
export interface Totals<Item> {
  readonly build: BuildColumn<Item>;
  /** Undefined: not known. */
  readonly open: (arrays: NamedArrays) => TotalOf;
}

export type TotalOf = (criteria: readonly IndexCriterion[]) => number | undefined;

type Fields<C> = Readonly<Record<string, C>>;

/** The criteria over the fields of a table. */
export type CriterionOf<Table extends OpenColumns> =
  | ColumnCriterionOf<Table>
  | NotCriterion<ColumnCriterionOf<Table>>;

type ColumnCriterionOf<Table extends OpenColumns> =
  | StringCriterion<FieldOf<Table, 'string'>>
  | TokenCriterion<FieldOf<Table, 'token'>>
  | DateCriterion<FieldOf<Table, 'date'>>
  | ReferenceCriterion<FieldOf<Table, 'reference'>>
  | CompositeCriterion<FieldOf<Table, 'composite'>>;

/** The fields of a table whose parameters have this type. */
export type FieldOf<Table extends OpenColumns, Type extends keyof OpenColumns> = Extract<
  keyof Table[Type],
  string
>;

/** One key of a sort order. */
export interface SortKeyOf<Table extends OpenColumns> {
  readonly field: FieldOf<Table, 'sort'> | typeof ROW_FIELD;
  readonly isDescending: boolean;
}

/** The field of sort keys that every index has: the order of its rows. */
export const ROW_FIELD = 'row';
