/** A searchable field of the index: how it is built from records, and how a criterion finds rows. */
import type { ColumnCriterion } from '../../../fhir/search/criterion.ts';
import type { NamedArrays } from '../../record/arrays.ts';
import { hasDistinctRows, type RowSet, sizeMax } from '../sets/row-set.ts';
import { sortDifferent } from '../sets/sort-different.ts';

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

export type BuildColumn<Item> = (rowCount: number) => ColumnBuilder<Item>;

export interface ColumnBuilder<Item> {
  /** Called once for each row, in ascending order. */
  add(row: number, item: Item): void;
  finish(): NamedArrays;
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
  /** Sets of the same rows before they were marked. A row may be repeated. */
  readonly unmarked?: readonly RowSet[];
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
export function matchingRows(set: RowSet, size: number, unmarked?: readonly RowSet[]): FoundRows {
  return { sets: [set], size, isDistinct: true, isNegated: false, ...(unmarked && { unmarked }) };
}

/** The rows that are not in the result of a criterion. */
export function otherRows(found: FoundRows, rowCount: number): FoundRows {
  const { sets, size, isDistinct, isNegated } = found;
  if (isNegated) return foundRows(sets, isDistinct);
  return { sets, size: isDistinct ? rowCount - size : rowCount, isDistinct, isNegated: true };
}

/** The range, if the result is one. */
export function rangeOf({ sets, isNegated }: FoundRows): (RowSet & { kind: 'range' }) | undefined {
  const first = sets[0];
  return !isNegated && sets.length === 1 && first?.kind === 'range' ? first : undefined;
}

export function withoutRepeats<Value>(values: readonly Value[]): readonly Value[] {
  return values.length < 2 ? values : [...new Set(values)];
}
