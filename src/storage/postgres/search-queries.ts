/** Runs searches over the index: chooses where to begin, and finds the resources that match. */
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { SortKey } from '../../fhir/search/resource-search.ts';
import {
  type CompiledCriterion,
  compileAll,
  compileCriterion,
  compileSort,
  endFieldOf,
  type Source,
  type Sql,
} from '../sql/criterion-sql.ts';
import type { Connection, Row } from './connection.ts';
import type { FieldKeys } from './field-keys.ts';
import { POSTGRES } from './search-values.ts';
import { storable } from './storable.ts';

export interface PostgresQuery {
  readonly type: string;
  readonly criteria: readonly ResourceCriterion[];
  readonly sort: readonly SortKey[];
  /** The most resources that the search may look at; see `matchingKeys`. */
  readonly candidatesMax: number;
}

/**
 * The keys of the matching resources in order; without sort keys the newest resource comes first.
 * The search begins with the criterion that the fewest resources match. Undefined if more than
 * `candidatesMax` match that one.
 */
export async function matchingKeys(
  connection: Connection,
  fields: FieldKeys,
  query: PostgresQuery,
): Promise<number[] | undefined> {
  const { criteria, type, candidatesMax, sort } = query;
  await fields.know(connection, fieldsIn(query));
  const context = { type, keyOf: (name: string) => fields.keyOf(type, name), dialect: POSTGRES };
  const compiled = criteria.map((criterion) => compileCriterion(criterion, context));
  const sources = compiled.filter(hasSource);
  const [only = compileAll(context.keyOf)] = sources;
  const isAlone = compiled.length <= sources.length && sources.length <= 1;
  const begins = sources.length > 0 ? sources : [only];
  const first = isAlone ? only : await narrowest(connection, begins, candidatesMax);
  if (first === undefined) return undefined;
  const tests = compiled.filter((each) => each !== first).map(({ test }) => test);
  const order = sort.map((key) => compileSort(key, context.keyOf));
  const [row = {}] = await run(
    connection,
    selectKeys(first.source.distinct, candidatesMax + 1, tests, order),
  );
  const keys = row.keys === null ? [] : String(row.keys).split(',').map(Number);
  return keys.length > candidatesMax ? undefined : keys;
}

/** Compares how many resources the criteria match, without counting further than needed. */
async function narrowest(
  connection: Connection,
  begins: readonly Begin[],
  candidatesMax: number,
): Promise<Begin | undefined> {
  for (let limit = FIRST_LIMIT; ; limit *= LIMIT_STEP) {
    const max = Math.min(limit, candidatesMax);
    const counts = await Promise.all(
      begins.map(({ source: { distinct } }) =>
        run(connection, {
          sql: `SELECT count(*) AS n FROM (${distinct.sql} LIMIT ?) AS candidate`,
          parameters: [...distinct.parameters, max + 1],
        }),
      ),
    );
    const found = begins.find((_, at) => Number(counts[at]?.[0]?.n) <= max);
    if (found !== undefined || max === candidatesMax) return found;
  }
}

/** One text of all keys is read several times faster than a row for each. */
function selectKeys(source: Sql, limit: number, tests: readonly Sql[], order: readonly Sql[]): Sql {
  const where = tests.length === 0 ? '' : `WHERE ${tests.map(({ sql }) => sql).join(' AND ')}`;
  const by = [...order.map(({ sql }) => sql), 'candidate.resource DESC'].join(', ');
  return {
    sql: `SELECT string_agg(resource::text, ',') AS keys FROM (
      SELECT candidate.resource FROM (${source.sql} LIMIT ?) AS candidate ${where} ORDER BY ${by}
    ) AS found`,
    parameters: [
      ...source.parameters,
      limit,
      ...[...tests, ...order].flatMap(({ parameters }) => parameters),
    ],
  };
}

function run(connection: Connection, { sql, parameters }: Sql): Promise<readonly Row[]> {
  const values = parameters.map((each) => (typeof each === 'string' ? storable(each) : each));
  return connection.queryPrepared(numbered(sql), values);
}

/** Numbers the parameters. Two question marks stand for one in an operator. */
export function numbered(sql: string): string {
  let at = 0;
  return sql.replaceAll(/\?\??/g, (found) => (found === '?' ? `$${++at}` : '?'));
}

function fieldsIn({ type, criteria, sort }: PostgresQuery) {
  const ofCriteria = criteria.flatMap((criterion) => {
    const { type: kind, field } = criterion.type === 'not' ? criterion.criterion : criterion;
    return kind === 'date' ? [field, endFieldOf(field)] : [field];
  });
  const names = [...ofCriteria, ...sort.map(({ field }) => field), '_lastUpdated'];
  return names.filter((name) => name !== '_id').map((name) => ({ type, name }));
}

type Begin = CompiledCriterion & { readonly source: Source };

function hasSource(compiled: CompiledCriterion): compiled is Begin {
  return compiled.source !== undefined;
}

/** The counts of candidates at which criteria are compared. */
const FIRST_LIMIT = 100;
const LIMIT_STEP = 10;
