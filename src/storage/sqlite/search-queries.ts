/** Runs searches over the index: chooses where to begin, and finds the resources that match. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { SortKey } from '../../fhir/search/sort.ts';
import {
  type CompiledCriterion,
  compileAll,
  compileCriterion,
  compileSort,
  type Sql,
} from './criterion-sql.ts';
import { SearchFields } from './search-fields.ts';

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
  matching(query: ResourceQuery): readonly number[] | undefined {
    const { criteria, type, candidatesMax, sort } = query;
    const keyOf = (name: string) => this.#fields.keyOf(type, name);
    const compiled = criteria.map((criterion) => compileCriterion(criterion, type, keyOf));
    const sources = compiled.filter(hasSource);
    const [only = compileAll(keyOf)] = sources;
    const isAlone = compiled.length <= sources.length && sources.length <= 1;
    const begins = sources.length > 0 ? sources : [only];
    const first = isAlone ? only : this.#narrowest(begins, candidatesMax);
    if (first === undefined) return undefined;
    const tests = compiled.filter((each) => each !== first).map(({ test }) => test);
    const order = sort.map((key) => compileSort(key, keyOf));
    const found = this.#run(first.source, candidatesMax + 1, tests, order);
    return found.length > candidatesMax ? undefined : found;
  }

  /** Compares how many resources the criteria match, without counting further than needed. */
  #narrowest(criteria: readonly Begin[], candidatesMax: number): Begin | undefined {
    for (let limit = FIRST_LIMIT; ; limit *= LIMIT_STEP) {
      const max = Math.min(limit, candidatesMax);
      const found = criteria.find(({ source }) => this.#countOf(source, max + 1) <= max);
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

  #run(source: Sql, limit: number, tests: readonly Sql[], order: readonly Sql[]): number[] {
    const where = tests.length === 0 ? '' : `WHERE ${tests.map(({ sql }) => sql).join(' AND ')}`;
    const by = [...order.map(({ sql }) => sql), 'candidate.resource DESC'].join(', ');
    // One text of all keys is read several times faster than a row for each.
    const row = this.#prepared(
      `SELECT json_group_array(resource) AS resources FROM (
         SELECT candidate.resource FROM (${source.sql} LIMIT ?) AS candidate
         ${where} ORDER BY ${by})`,
    ).get(
      ...source.parameters,
      limit,
      ...[...tests, ...order].flatMap(({ parameters }) => parameters),
    );
    return JSON.parse(String(row?.resources));
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

type Begin = CompiledCriterion & { readonly source: Sql };

function hasSource(compiled: CompiledCriterion): compiled is Begin {
  return compiled.source !== undefined;
}

const STATEMENTS_MAX = 200;

/** The counts of candidates at which criteria are compared. */
const FIRST_LIMIT = 100;
const LIMIT_STEP = 10;
