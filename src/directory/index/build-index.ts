/** Builds the search columns of an index, in one pass over its records. */
import type { NamedArrays } from '../record/arrays.ts';
import type { BuildColumn } from './columns/column.ts';
import type { Columns } from './columns/columns.ts';

/**
 * `itemAt` is called once for each row, in ascending order. The arrays hold no reference to the
 * records.
 */
export function buildIndex<Item>(
  columns: Columns<Item>,
  count: number,
  itemAt: (row: number) => Item,
): NamedArrays {
  return buildColumns(buildFunctionsOf(columns), count, itemAt);
}

/** The names of the arrays of all columns. */
export function columnArrayNames(columns: Columns<never>): string[] {
  return buildFunctionsOf(columns).flatMap((build) => arrayNamesOf(build));
}

/**
 * Builds the columns of which `arrays` lacks an array. A version of the program without these
 * columns made the arrays.
 */
export function buildMissingColumns<Item>(
  columns: Columns<Item>,
  arrays: NamedArrays,
  count: number,
  itemAt: (row: number) => Item,
): NamedArrays {
  const missing = buildFunctionsOf(columns).filter((build) =>
    arrayNamesOf(build).some((name) => arrays[name] === undefined),
  );
  return missing.length === 0 ? {} : buildColumns(missing, count, itemAt);
}

function buildFunctionsOf<Item>({
  forOthers = [],
  totals,
  ...ofTypes
}: Columns<Item>): BuildColumn<Item>[] {
  const columns = Object.values(ofTypes).flatMap((ofType) => Object.values(ofType));
  const all = totals === undefined ? columns : [...columns, totals];
  return [...all.flatMap(({ build }) => (build === undefined ? [] : [build])), ...forOthers];
}

/** The names do not depend on the number of rows. */
function arrayNamesOf(build: BuildColumn<never>): string[] {
  return Object.keys(build(0).finish());
}

function buildColumns<Item>(
  columns: readonly BuildColumn<Item>[],
  count: number,
  itemAt: (row: number) => Item,
): NamedArrays {
  const builders = columns.map((build) => build(count));
  for (let row = 0; row < count; row++) {
    const item = itemAt(row);
    for (const builder of builders) builder.add(row, item);
  }
  return Object.assign({}, ...builders.map((builder) => builder.finish()));
}
