/** Builds the search index of an edition, in one pass over its records. */
import type { NamedArrays } from '../arrays.ts';
import type { OrganizationRecord } from '../record.ts';
import type { ColumnBuilder } from './column.ts';
import { COLUMNS } from './columns.ts';

/**
 * `recordAt` is called once for each row, in ascending order. The codes must be unique, and ascend
 * in the order of their bytes. The arrays hold no reference to the records.
 */
export function buildIndex(count: number, recordAt: RecordAt): NamedArrays {
  return buildColumns(BUILD_FUNCTIONS, count, recordAt);
}

/** The names of the arrays of all columns. */
export function columnArrayNames(): string[] {
  return BUILD_FUNCTIONS.flatMap((build) => arrayNamesOf(build));
}

/**
 * Builds the columns of which `arrays` lacks an array. A version of the program without these
 * columns made the arrays.
 */
export function buildMissingColumns(
  arrays: NamedArrays,
  count: number,
  recordAt: RecordAt,
): NamedArrays {
  const missing = BUILD_FUNCTIONS.filter((build) =>
    arrayNamesOf(build).some((name) => arrays[name] === undefined),
  );
  return missing.length === 0 ? {} : buildColumns(missing, count, recordAt);
}

type RecordAt = (row: number) => OrganizationRecord;
type BuildColumn = (rowCount: number) => ColumnBuilder;

const BUILD_FUNCTIONS: readonly BuildColumn[] = Object.values(COLUMNS)
  .flatMap((ofType) => Object.values(ofType))
  .flatMap(({ build }) => (build === undefined ? [] : [build]));

/** The names do not depend on the number of rows. */
function arrayNamesOf(build: BuildColumn): string[] {
  return Object.keys(build(0).finish());
}

function buildColumns(
  columns: readonly BuildColumn[],
  count: number,
  recordAt: RecordAt,
): NamedArrays {
  const builders = columns.map((build) => build(count));
  for (let row = 0; row < count; row++) {
    const record = recordAt(row);
    for (const builder of builders) builder.add(row, record);
  }
  return Object.assign({}, ...builders.map((builder) => builder.finish()));
}
