/**
 * The fields of an index: a table of columns, by the type of their search parameters. A column is
 * built from records, and finds the rows of a criterion.
 */
import type {
  ColumnCriterion,
  CompositeCriterion,
  CompositeEntry,
  NearCriterion,
  RowsCriterion,
} from '../../../fhir/search/criterion.ts';
import type { DateCriterion, DateEntry } from '../../../fhir/search/date.ts';
import type { ReferenceCriterion, ReferenceEntry } from '../../../fhir/search/reference.ts';
import type { StringCriterion, StringEntry } from '../../../fhir/search/string.ts';
import type { NotCriterion, TokenCriterion, TokenEntry } from '../../../fhir/search/token.ts';
import type { Offsets } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import type { RowsBefore } from '../../arrays/rows-before.ts';
import { hasDistinctRows, type RowSet, sizeMax, sortDifferent } from '../sets/row-set.ts';

/** The part of a table that a search needs. */
export interface OpenColumns {
  readonly string: Fields<OpenColumn<StringCriterion>>;
  readonly token: Fields<OpenColumn<TokenCriterion>>;
  readonly date: Fields<OpenColumn<DateCriterion>>;
  readonly reference: Fields<OpenColumn<ReferenceCriterion>>;
  readonly composite: Fields<OpenColumn<CompositeCriterion>>;
  /** The fields by which results can be sorted, besides the row. */
  readonly sort: Fields<Pick<SortColumn<never>, 'open'>>;
}

/** The names of the properties of each type are the fields of its criteria. */
export interface Columns<Item> extends OpenColumns {
  readonly string: Fields<Column<Item, StringCriterion, StringEntry>>;
  readonly token: Fields<Column<Item, TokenCriterion, TokenEntry>>;
  readonly date: Fields<Column<Item, DateCriterion, DateEntry>>;
  readonly reference: Fields<Column<Item, ReferenceCriterion, ReferenceEntry>>;
  readonly composite: Fields<Column<Item, CompositeCriterion, CompositeEntry>>;
  readonly sort: Fields<SortColumn<Item>>;
  /** Arrays that the columns of another index open. The records of this one are their source. */
  readonly forOthers?: readonly BuildColumn<Item>[];
}

/** A field by which results can be sorted. */
export interface SortColumn<Item> {
  readonly build: BuildColumn<Item>;
  readonly open: (arrays: NamedArrays) => SortedRows;
}

/** The rows that have the field, by its value. Rows with equal values ascend. */
export interface SortedRows {
  /** The rows in the order of their values. */
  readonly order: Uint32Array;
  /** Row → the number of its value among the different values, or their count if it has none. */
  readonly numbers: Offsets;
  /** The number of different values. */
  readonly valueCount: number;
  /** Values of rows of different indexes compare as in the order. Undefined: the row has none. */
  valueOf(row: number): string | number | undefined;
}

type Fields<C> = Readonly<Record<string, C>>;

/** The criteria over the fields of a table, over the positions of its rows, and over rows as such. */
export type CriterionOf<Table extends OpenColumns> =
  | ColumnCriterionOf<Table>
  | NearCriterion
  | RowsCriterion
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

/** `Item` is the kind of record that the index finds, such as an organisation. */
export interface Column<Item, C extends ColumnCriterion, Entry> extends OpenColumn<C> {
  /** The entries of a record. `open` must find the rows that have a matching entry. */
  readonly entriesOf: (item: Item) => readonly Entry[];
  /** Absent for a field that shares the arrays of another one. */
  readonly build?: BuildColumn<Item>;
}

/** The part of a column that a search needs. */
export interface OpenColumn<C extends ColumnCriterion> {
  readonly open: (arrays: NamedArrays, rowCount: number) => FindRows<C>;
}

/**
 * `before`: all arrays of the column in the edition before, from which it takes the rows that have not
 * changed, unless it reads all rows.
 */
export type BuildColumn<Item> = (rowCount: number, before?: RowsBefore) => ColumnBuilder<Item>;

export interface ColumnBuilder<Item> {
  /** Whether it needs every row even if there is an edition before. */
  readonly readsAll?: true;
  /** Called once for each row, in ascending order. With an edition before: for each changed row. */
  add(row: number, item: Item): void;
  /** With an edition before, it may read a few other rows again. */
  finish(itemAt: (row: number) => Item): NamedArrays;
}

export type FindRows<C> = (criterion: C) => FoundRows;

/** The result of a criterion: the rows of all sets together, unless it is negated. */
export interface FoundRows {
  readonly sets: readonly RowSet[];
  /** The number of rows in the sets. Counts a row again for each time that it is repeated. */
  readonly size: number;
  /** Whether no row is repeated. */
  readonly isDistinct: boolean;
  /** Whether the result is the rows that are in none of the sets. `size` is then their upper limit. */
  readonly isNegated: boolean;
}

/** `areDisjoint`: no row is in two of the sets. */
export function foundRows(all: readonly RowSet[], areDisjoint: boolean): FoundRows {
  // A single set can be read off without marking its rows.
  const sets = all.length > 1 ? all.filter((set) => sizeMax(set) > 0) : all;
  let size = 0;
  let isDistinct = sets.length === 1 || areDisjoint;
  for (const set of sets) {
    size += sizeMax(set);
    isDistinct &&= hasDistinctRows(set);
  }
  return { sets, size, isDistinct, isNegated: false };
}

/** The result of a criterion that has found single rows, in any order and perhaps repeatedly. */
export function listedRows(found: readonly number[]): FoundRows {
  const rows = Uint32Array.from(found);
  return foundRows([{ kind: 'list', rows, from: 0, to: sortDifferent(rows) }], true);
}

/** Rows that are each in the set once. */
export function matchingRows(set: RowSet, size: number): FoundRows {
  return { sets: [set], size, isDistinct: true, isNegated: false };
}

/** The rows that are not in the result of a criterion. */
export function otherRows(found: FoundRows, rowCount: number): FoundRows {
  const { sets, size, isDistinct, isNegated } = found;
  if (isNegated) return foundRows(sets, isDistinct);
  return { sets, size: isDistinct ? rowCount - size : rowCount, isDistinct, isNegated: true };
}

export function withoutRepeats<Value>(values: readonly Value[]): readonly Value[] {
  return values.length < 2 ? values : [...new Set(values)];
}
