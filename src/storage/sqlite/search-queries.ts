/** Runs searches over the index: chooses where to begin, and finds the resources that match. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { SortKey } from '../../fhir/search/resource-search.ts';
import {
  type CompiledCriterion,
  compileAll,
  compileCriterion,
  compileSort,
  type Source,
  type Sql,
} from '../sql/criterion-sql.ts';
import { SearchFields } from './search-fields.ts';
import { SQLITE } from './sqlite-dialect.ts';

export interface ResourceQuery {
  readonly type: string;
  readonly criteria: readonly ResourceCriterion[];
  readonly sort: readonly SortKey[];
  /** The most resources that the search may look at; see `matching`. */
  readonly candidatesMax: number;
}

/** Statements over an open database. The caller closes it. */
export class SearchQueries {
  readonly #database: DatabaseSync;
  readonly #fields: SearchFields;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#fields = new SearchFields(database);
  }

  /**
   * The keys of the matching resources in order; without sort keys the newest resource comes first.
   * The search begins with the criterion that the fewest resources match. Undefined if more than
   * `candidatesMax` match that one.
   */
  matching(query: ResourceQuery): Uint32Array | undefined {
    const { criteria, type, candidatesMax, sort } = query;
    const keyOf = (name: string) => this.#fields.keyOf(type, name);
    const context = { type, keyOf, dialect: SQLITE };
    const compiled = criteria.map((criterion) => compileCriterion(criterion, context));
    const sources = compiled.filter(hasSource);
    const [only = compileAll(keyOf)] = sources;
    const isAlone = compiled.length <= sources.length && sources.length <= 1;
    const begins = sources.length > 0 ? sources : [only];
    const first = isAlone ? only : this.#narrowest(begins, candidatesMax);
    if (first === undefined) return undefined;
    const tests = compiled.filter((each) => each !== first).map(({ test }) => test);
    const order = sort.map((key) => compileSort(key, keyOf));
    if (isAlone && order.length === 0) {
      const keys = this.#run(first.source.repeated, candidatesMax + 1, [], []);
      if (keys.length <= candidatesMax) return newestFirst(keys);
    }
    const keys = this.#run(first.source.distinct, candidatesMax + 1, tests, order);
    if (keys.length > candidatesMax) return undefined;
    return order.length === 0 ? newestFirst(keys) : keys;
  }

  /** Compares how many resources the criteria match, without counting further than needed. */
  #narrowest(criteria: readonly Begin[], candidatesMax: number): Begin | undefined {
    for (let limit = FIRST_LIMIT; ; limit *= LIMIT_STEP) {
      const max = Math.min(limit, candidatesMax);
      const found = criteria.find(({ source }) => this.#countOf(source.distinct, max + 1) <= max);
      if (found !== undefined || max === candidatesMax) return found;
    }
  }

  #countOf({ sql, parameters }: Sql, limit: number): number {
    const row = this.#prepared(`SELECT count(*) AS n FROM (${sql} LIMIT ?)`).get(
      ...parameters,
      limit,
    );
    return Number(row?.n);
  }

  /** In the order of `order`, and in no order without it. */
  #run(source: Sql, limit: number, tests: readonly Sql[], order: readonly Sql[]): Uint32Array {
    const where = tests.length === 0 ? '' : `WHERE ${tests.map(({ sql }) => sql).join(' AND ')}`;
    const keys = [...order.map(({ sql }) => sql), 'candidate.resource DESC'].join(', ');
    const by = order.length === 0 ? '' : `ORDER BY ${keys}`;
    // One text of all keys is read several times faster than a row for each.
    const row = this.#prepared(
      `SELECT group_concat(resource) AS resources FROM (
         SELECT candidate.resource FROM (${source.sql} LIMIT ?) AS candidate ${where} ${by})`,
    ).get(
      ...source.parameters,
      limit,
      ...[...tests, ...order].flatMap(({ parameters }) => parameters),
    );
    return Uint32Array.from(JSON.parse(`[${row?.resources ?? ''}]`));
  }

  /** Most searches of a server have one of a few forms. */
  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const [oldest] = this.#statements.keys();
    if (this.#statements.size === STATEMENTS_MAX && oldest !== undefined) {
      this.#statements.delete(oldest);
    }
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The highest key first, and each key once: keys ascend in the order of creation. */
function newestFirst(keys: Uint32Array): Uint32Array {
  // The rows of most searches are in the order of the keys.
  return (isAscending(keys) ? keys : ascending(keys)).reverse();
}

/** Whether each key is higher than the one before it. */
function isAscending(keys: Uint32Array): boolean {
  for (let at = 1; at < keys.length; at++) {
    if ((keys[at] ?? 0) <= (keys[at - 1] ?? 0)) return false;
  }
  return true;
}

function ascending(keys: Uint32Array): Uint32Array {
  const sorted = keys.sort();
  return isAscending(sorted) ? sorted : sorted.filter((key, at) => key !== sorted[at - 1]);
}

type Begin = CompiledCriterion & { readonly source: Source };

function hasSource(compiled: CompiledCriterion): compiled is Begin {
  return compiled.source !== undefined;
}

const STATEMENTS_MAX = 200;

/** The counts of candidates at which criteria are compared. */
const FIRST_LIMIT = 100;
const LIMIT_STEP = 10;
