/** Finds the rows of a criterion in the column of its field. */
import type { Criterion } from '../../fhir/search/criterion.ts';
import type { NamedArrays } from '../arrays.ts';
import { type FindRows, type FoundRows, otherRows } from './column.ts';
import type { Columns } from './columns.ts';

export function openFinder(
  columns: Columns<never>,
  arrays: NamedArrays,
  rowCount: number,
): FindRows<Criterion> {
  const strings = openAll(columns.string, arrays, rowCount);
  const tokens = openAll(columns.token, arrays, rowCount);
  const dates = openAll(columns.date, arrays, rowCount);
  return (criterion) => {
    switch (criterion.type) {
      case 'string':
        return findIn(strings, criterion);
      case 'token': {
        const found = findIn(tokens, criterion);
        return criterion.isNegated === true ? otherRows(found, rowCount) : found;
      }
      case 'date':
        return findIn(dates, criterion);
      default:
        throw new Error(`Unknown criterion: ${JSON.stringify(criterion satisfies never)}`);
    }
  };
}

type ByField<C extends Criterion> = ReadonlyMap<string, FindRows<C>>;

function openAll<C extends Criterion>(
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

function findIn<C extends Criterion>(fields: ByField<C>, criterion: C): FoundRows {
  const find = fields.get(criterion.field);
  if (find === undefined) throw new Error(`Unknown field: ${criterion.field}`);
  return find(criterion);
}
