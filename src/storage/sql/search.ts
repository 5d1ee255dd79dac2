/** Runs searches over the index: chooses where to begin, and finds the resources that match. */
import type { SearchStart } from '../../fhir/stored/repository.ts';
import { type EntryRow, endFieldOf } from '../repository/search-rows.ts';
import { all, first, joinedSql, type Sql, type SqlSteps, sql } from '../repository/statement.ts';
import {
  type CompiledCriterion,
  compileAll,
  compileCriterion,
  compileSort,
  type Source,
} from './criterion-sql.ts';
import type { SqlDialect } from './dialect.ts';

export interface ResourceQuery extends Pick<SearchStart, 'criteria' | 'sort' | 'candidatesMax'> {
  readonly type: string;
}

interface FieldName {
  readonly type: string;
  readonly name: string;
}

/** The key of a field that has no entries, and so no key. */
export const NO_KEY = 0;

/** The keys of the fields of the index. They never change once they are committed. */
export class FieldKeys {
  /** By type and name. */
  readonly #keys = new Map<string, Map<string, number>>();

  /** Call `know` or `add` before. */
  keyOf(type: string, name: string): number {
    return this.#keys.get(type)?.get(name) ?? NO_KEY;
  }

  /** Reads the keys again if one of these is not known. */
  *know(fields: readonly FieldName[]): SqlSteps<void> {
    if (fields.every((field) => this.#has(field))) return;
    const rows = yield* all(sql`SELECT key, resource_type, name FROM search_field`);
    for (const { key, resource_type, name } of rows) {
      this.#keysOf(String(resource_type)).set(String(name), Number(key));
    }
  }

  /** Adds the keys that are missing. If it returns true and the transaction fails, call `forget`. */
  *add(fields: readonly FieldName[]): SqlSteps<boolean> {
    yield* this.know(fields);
    const unknown = fields.filter((field) => !this.#has(field));
    if (unknown.length === 0) return false;
    const missing = new Map(unknown.map((field) => [`${field.type} ${field.name}`, field]));
    const rows = Array.from(missing.values(), ({ type, name }) => sql`(${type}, ${name})`);
    yield [
      sql`INSERT INTO search_field (resource_type, name) VALUES ${joinedSql(rows, ', ')}
        ON CONFLICT DO NOTHING`,
    ];
    yield* this.know(unknown);
    return true;
  }

  forget(): void {
    this.#keys.clear();
  }

  #has({ type, name }: FieldName): boolean {
    return this.keyOf(type, name) !== NO_KEY;
  }

  #keysOf(type: string): Map<string, number> {
    const known = this.#keys.get(type);
    if (known !== undefined) return known;
    const made = new Map<string, number>();
    this.#keys.set(type, made);
    return made;
  }
}

/** The fields of index rows, each once. */
export function fieldsOf(type: string, rows: readonly EntryRow[]): FieldName[] {
  return [...new Set(rows.map(({ name }) => name))].map((name) => ({ type, name }));
}

/**
 * The keys of the matching resources in order; without sort keys the newest resource comes first.
 * The search begins with the criterion that the fewest resources match. Undefined if more than
 * `candidatesMax` match that one.
 */
export function* matchingKeys(
  dialect: SqlDialect,
  fields: FieldKeys,
  query: ResourceQuery,
): SqlSteps<Float64Array | undefined> {
  const { criteria, type, candidatesMax, sort } = query;
  yield* fields.know(fieldsIn(query));
  const keyOf = (name: string) => fields.keyOf(type, name);
  const context = { type, keyOf, dialect };
  const compiled = criteria.map((criterion) => compileCriterion(criterion, context));
  const sources = compiled.filter(hasSource);
  const [only = compileAll(keyOf)] = sources;
  const isAlone = compiled.length <= sources.length && sources.length <= 1;
  const begins = sources.length > 0 ? sources : [only];
  const begin = isAlone ? only : yield* narrowest(begins, candidatesMax);
  if (begin === undefined) return undefined;
  const limit = candidatesMax + 1;
  const { repeated, distinct } = begin.source;
  if (isAlone && sort.length === 0) {
    const keys = yield* keysIn(sql`SELECT resource FROM (${repeated} LIMIT ${limit}) AS candidate`);
    if (keys.length < limit) return newestFirst(keys);
  }
  const tests = compiled.filter((each) => each !== begin).map(({ test }) => test);
  const order = sort.map((key) => compileSort(key, keyOf));
  const keys = yield* keysIn(sql`
    SELECT candidate.resource FROM (${distinct} LIMIT ${limit}) AS candidate
    WHERE ${joinedSql(tests, ' AND ', 'TRUE')} ${orderOf(order)}`);
  if (keys.length === limit) return undefined;
  return order.length === 0 ? newestFirst(keys) : keys;
}

/** Compares how many resources the criteria match, without counting further than needed. */
function* narrowest(begins: readonly Begin[], candidatesMax: number): SqlSteps<Begin | undefined> {
  for (let limit = FIRST_LIMIT; ; limit *= LIMIT_STEP) {
    const max = Math.min(limit, candidatesMax);
    const counts = yield begins.map(
      ({ source }) =>
        sql`SELECT count(*) AS n FROM (${source.distinct} LIMIT ${max + 1}) AS candidate`,
    );
    const found = begins.find((_, at) => Number(counts[at]?.[0]?.n) <= max);
    if (found !== undefined || max === candidatesMax) return found;
  }
}

/** One text of all keys is read several times faster than a row for each. */
function* keysIn(query: Sql): SqlSteps<Float64Array> {
  const row = yield* first(
    sql`SELECT string_agg(CAST(resource AS TEXT), ',') AS keys FROM (${query}) AS found`,
  );
  return Float64Array.from(JSON.parse(`[${row?.keys ?? ''}]`));
}

function orderOf(order: readonly Sql[]): Sql {
  return order.length === 0
    ? sql``
    : sql`ORDER BY ${joinedSql(order, ', ')}, candidate.resource DESC`;
}

function fieldsIn({ type, criteria, sort }: ResourceQuery): readonly FieldName[] {
  const ofCriteria = criteria.flatMap((criterion) => {
    const { type: kind, field } = criterion.type === 'not' ? criterion.criterion : criterion;
    return kind === 'date' ? [field, endFieldOf(field)] : [field];
  });
  const names = [...ofCriteria, ...sort.map(({ field }) => field), '_lastUpdated'];
  return names.filter((name) => name !== '_id').map((name) => ({ type, name }));
}

/** The highest key first, and each key once: keys ascend in the order of creation. */
function newestFirst(keys: Float64Array): Float64Array {
  // The rows of most searches are in the order of the keys.
  return (isAscending(keys) ? keys : ascending(keys)).reverse();
}

/** Whether each key is higher than the one before it. */
function isAscending(keys: Float64Array): boolean {
  for (let at = 1; at < keys.length; at++) {
    if ((keys[at] ?? 0) <= (keys[at - 1] ?? 0)) return false;
  }
  return true;
}

function ascending(keys: Float64Array): Float64Array {
  const sorted = keys.sort();
  return isAscending(sorted) ? sorted : sorted.filter((key, at) => key !== sorted[at - 1]);
}

type Begin = CompiledCriterion & { readonly source: Source };

function hasSource(compiled: CompiledCriterion): compiled is Begin {
  return compiled.source !== undefined;
}

/** The counts of candidates at which criteria are compared. */
const FIRST_LIMIT = 100;
const LIMIT_STEP = 10;
