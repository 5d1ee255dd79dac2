/**
 * Compiles the criteria of a search to SQL over the index `search_entry`. A criterion becomes
 * terms: each selects entries, and a resource matches if one term selects an entry of it.
 */
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { DateCriterion, DatePrefix, DateValue } from '../../fhir/search/date.ts';
import type { SortKey } from '../../fhir/search/resource-search.ts';
import { fold, type StringMatch } from '../../fhir/search/string.ts';
import type { TokenValue } from '../../fhir/search/token.ts';
import { endFieldOf } from '../repository/search-rows.ts';
import { joinedSql, plain, type Sql, sql } from '../repository/statement.ts';
import type { SqlDialect } from './dialect.ts';

/** The key of a field in `search_field`. */
export type FieldKeyOf = (name: string) => number;

export interface SqlContext {
  /** The type of resource. */
  readonly type: string;
  readonly keyOf: FieldKeyOf;
  readonly dialect: SqlDialect;
}

/** A criterion as SQL. */
export interface CompiledCriterion {
  /** A condition on the resource of `candidate`. */
  readonly test: Sql;
  /** Selects the column `resource` of all matches; undefined for a negative criterion. */
  readonly source?: Source;
}

export interface Source {
  /** Each match once. */
  readonly distinct: Sql;
  /** Each match as often as its entries match: several times faster, and seldom more rows. */
  readonly repeated: Sql;
}

/** The field that has an entry of every resource with content. */
const PRESENT = '_lastUpdated';

export function compileCriterion(
  criterion: ResourceCriterion,
  context: SqlContext,
): CompiledCriterion {
  if (criterion.type === 'not') {
    return { test: negated(compileCriterion(criterion.criterion, context).test) };
  }
  const terms = termsOf(criterion, context);
  const test = testOf(terms);
  if (criterion.type === 'missing' && criterion.isMissing) return { test: negated(test) };
  return { test, source: sourceOf(terms) };
}

/** Selects every resource of the type that has content. */
export function compileAll(keyOf: FieldKeyOf): CompiledCriterion & { readonly source: Source } {
  const terms = [entryTerm(keyOf(PRESENT), ALL)];
  return { test: testOf(terms), source: sourceOf(terms) };
}

/** The value of a candidate to sort by; NULL if it has none. */
export function compileSort({ field, isDescending }: SortKey, keyOf: FieldKeyOf): Sql {
  const direction = plain(isDescending ? 'DESC' : 'ASC');
  if (field === '_id') {
    return sql`(SELECT id FROM resource WHERE key = candidate.resource) ${direction}`;
  }
  return sql`(SELECT ${plain(isDescending ? 'max' : 'min')}(value) FROM search_entry
    WHERE resource = candidate.resource AND field = ${keyOf(field)}) ${direction} NULLS LAST`;
}

/** Rows with a column for their resource. */
interface Term {
  readonly column: Sql;
  /** What follows FROM. */
  readonly rows: Sql;
}

function sourceOf(terms: readonly Term[]): Source {
  const selects = (select: string) =>
    terms.map(({ column, rows }) => sql`${plain(select)} ${column} AS resource FROM ${rows}`);
  return {
    distinct: joinedSql(selects('SELECT DISTINCT'), ' UNION '),
    repeated: joinedSql(selects('SELECT'), ' UNION ALL '),
  };
}

function testOf(terms: readonly Term[]): Sql {
  const tests = terms.map(
    ({ column, rows }) => sql`EXISTS (SELECT 1 FROM ${rows} AND ${column} = candidate.resource)`,
  );
  return sql`(${joinedSql(tests, ' OR ')})`;
}

function negated(test: Sql): Sql {
  return sql`NOT ${test}`;
}

function termsOf(
  criterion: Exclude<ResourceCriterion, { type: 'not' }>,
  context: SqlContext,
): Term[] {
  const { field } = criterion;
  const { keyOf, dialect } = context;
  switch (criterion.type) {
    case 'missing':
      return [entryTerm(keyOf(field === '_id' ? PRESENT : field), ALL)];
    case 'token': {
      const { values, ignoreCase = false } = criterion;
      if (field === '_id') return values.map((value) => idTerm(value, context));
      const equals = ignoreCase ? dialect.equalsIgnoringCase : dialect.equals;
      return values.map((value) => entryTerm(keyOf(field), tokenCondition(value, equals)));
    }
    case 'reference':
      return criterion.values.map(({ id, prefixes }) => {
        // An entry has the id as its value, and the prefix as its detail.
        const condition = both(dialect.equals(id), dialect.isOneOf(sql`detail`, prefixes));
        return entryTerm(keyOf(field), condition);
      });
    case 'string':
      return criterion.values.map((value) =>
        entryTerm(keyOf(field), stringCondition(value, criterion.match, dialect)),
      );
    case 'date':
      return dateTerms(criterion, context);
  }
}

const ALL = sql`TRUE`;

function entryTerm(key: number, condition: Sql): Term {
  return {
    column: sql`resource`,
    rows: sql`search_entry WHERE field = ${key} AND ${condition}`,
  };
}

/** Ids have no entries, because the table of resources finds them. */
function idTerm({ system = '', code = '' }: TokenValue, { type, keyOf }: SqlContext): Term {
  return {
    column: sql`key`,
    rows: sql`resource WHERE resource_type = ${type} AND id = ${code} AND ${system} = ''
      AND EXISTS (SELECT 1 FROM search_entry
        WHERE search_entry.resource = resource.key AND field = ${keyOf(PRESENT)})`,
  };
}

/** An entry has the code as its value, and the system as its detail. */
function tokenCondition({ system, code }: TokenValue, equals: SqlDialect['equals']): Sql {
  // An empty system matches codes without a system.
  const ofSystem = system === undefined ? ALL : sql`detail = ${system}`;
  return both(code === undefined ? ALL : equals(code), ofSystem);
}

/** An entry has the folded text as its value, and the text as its detail. */
function stringCondition(value: string, match: StringMatch, dialect: SqlDialect): Sql {
  const folded = fold(value);
  switch (match) {
    case 'exact':
      return both(dialect.equals(folded), sql`detail = ${value}`);
    case 'contains':
      return dialect.contains(folded);
    case 'startsWith':
      return dialect.startsWith(folded);
  }
}

function both(one: Sql, other: Sql): Sql {
  if (one === ALL) return other;
  if (other === ALL) return one;
  return sql`${one} AND ${other}`;
}

/** The entry of a start has the end as its detail. The entry of an end has the start. */
function dateTerms({ field, values }: DateCriterion, { keyOf, dialect }: SqlContext): Term[] {
  const [startKey, endKey] = [keyOf(field), keyOf(endFieldOf(field))];
  return values.flatMap((value) => periodTerms(value, startKey, endKey, dialect));
}

function periodTerms(
  { prefix, start: startMs, end: endMs }: DateValue,
  startKey: number,
  endKey: number,
  { value, number }: SqlDialect,
): Term[] {
  const [start, end] = [number(startMs), number(endMs)];
  const starts = (condition: Sql) => entryTerm(startKey, condition);
  const ends = (condition: Sql) => entryTerm(endKey, condition);
  const isEqual = starts(sql`${value} >= ${start} AND ${value} < ${end} AND detail <= ${end}`);
  const endsAfter = ends(sql`${value} > ${end}`);
  const startsBefore = starts(sql`${value} < ${start}`);
  const terms: Readonly<Record<DatePrefix, Term[]>> = {
    eq: [isEqual],
    ne: [starts(sql`(${value} < ${start} OR detail > ${end})`)],
    gt: [endsAfter],
    lt: [startsBefore],
    ge: [endsAfter, isEqual],
    le: [startsBefore, isEqual],
    sa: [starts(sql`${value} >= ${end}`)],
    eb: [ends(sql`${value} <= ${start}`)],
    ap: [ends(sql`${value} > ${start} AND detail < ${end}`)],
  };
  return terms[prefix];
}
