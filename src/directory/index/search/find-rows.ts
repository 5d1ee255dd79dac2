/** Finds the rows of a criterion in the column of its field. */
import type { ColumnCriterion, IndexCriterion } from '../../../fhir/search/criterion.ts';
import type { NamedArrays } from '../../record/arrays.ts';
import { type FindRows, type FoundRows, otherRows } from '../columns/column.ts';
import type { OpenColumns } from '../columns/columns.ts';

export function openFinder(
  columns: OpenColumns,
  arrays: NamedArrays,
  rowCount: number,
): FindRows<IndexCriterion> {
  const strings = openAll(columns.string, arrays, rowCount);
  const tokens = openAll(columns.token, arrays, rowCount);
  const dates = openAll(columns.date, arrays, rowCount);
  const references = openAll(columns.reference, arrays, rowCount);
  const composites = openAll(columns.composite, arrays, rowCount);
  const find = (criterion: ColumnCriterion): FoundRows => {
    switch (criterion.type) {
      case 'string':
        return findIn(strings, criterion);
      case 'token':
        return findIn(tokens, criterion);
      case 'date':
        return findIn(dates, criterion);
      case 'reference':
        return findIn(references, criterion);
      case 'composite':
        return findIn(composites, criterion);
      default:
        throw new Error(`Unknown criterion: ${JSON.stringify(criterion satisfies never)}`);
    }
  };
  return (criterion) =>
    criterion.type === 'not' ? otherRows(find(criterion.criterion), rowCount) : find(criterion);
}

type ByField<C extends ColumnCriterion> = ReadonlyMap<string, FindRows<C>>;

function openAll<C extends ColumnCriterion>(
  columns: Readonly<
    Record<string, { open: (arrays: NamedArrays, rowCount: number) => FindRows<C> }>
  >,
  arrays: NamedArrays,
  rowCount: number,
): ByField<C> {
  return new Map(
    Object.entries(columns).map(([field, { open }]) => [field, open(arrays, rowCount)]),
  );
}

function findIn<C extends ColumnCriterion>(fields: ByField<C>, criterion: C): FoundRows {
  const find = fields.get(criterion.field);
  if (find === undefined) throw new Error(`Unknown field: ${criterion.field}`);
  return find(criterion);
}
