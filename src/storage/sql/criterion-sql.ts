/**
 * Compiles the criteria of a search to SQL over the index `search_entry`. A criterion becomes
 * terms: each selects entries, and a resource matches if one term selects an entry of it.
 */
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { DateCriterion, DateValue } from '../../fhir/search/date.ts';
import { fold } from '../../fhir/search/fold.ts';
import type { SortKey } from '../../fhir/search/resource-search.ts';
import type { StringMatch } from '../../fhir/search/string.ts';
import type { TokenValue } from '../../fhir/search/token.ts';

export interface Sql {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** The key of a field in `search_field`. */
export type FieldKeyOf = (name: string) => number;

/** The differences between the SQL of databases. Each parameter is a question mark in the text. */
export interface SqlDialect {
  /** The value of an entry as the index has it. */
  readonly value: string;
  /** A number as the column of values has it. */
  readonly number: (value: number) => string | number;
  readonly equals: (value: string) => Sql;
  readonly equalsIgnoringCase: (value: string) => Sql;
  readonly startsWith: (value: string) => Sql;
  readonly contains: (value: string) => Sql;
  readonly detailIsOneOf: (details: readonly string[]) => Sql;
}

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

/** The field of the ends of periods; the field of the parameter has their starts. */
export function endFieldOf(field: string): string {
  return `${field}:end`;
}

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
  const direction = isDescending ? 'DESC' : 'ASC';
  if (field === '_id') {
    const sql = `(SELECT id FROM resource WHERE key = candidate.resource) ${direction}`;
    return { sql, parameters: [] };
  }
  return {
    sql: `(SELECT ${isDescending ? 'max' : 'min'}(value) FROM search_entry
      WHERE resource = candidate.resource AND field = ?) ${direction} NULLS LAST`,
    parameters: [keyOf(field)],
  };
}

/** Rows with a column for their resource. */
interface Term {
  readonly column: string;
  /** What follows FROM. */
  readonly rows: Sql;
}

function sourceOf(terms: readonly Term[]): Source {
  const parameters = terms.flatMap(({ rows }) => rows.parameters);
  const selects = (select: string) =>
    terms.map(({ column, rows }) => `${select} ${column} AS resource FROM ${rows.sql}`);
  return {
    distinct: { sql: selects('SELECT DISTINCT').join(' UNION '), parameters },
    repeated: { sql: selects('SELECT').join(' UNION ALL '), parameters },
  };
}

function testOf(terms: readonly Term[]): Sql {
  const tests = terms.map(
    ({ column, rows }) => `EXISTS (SELECT 1 FROM ${rows.sql} AND ${column} = candidate.resource)`,
  );
  const sql = `(${tests.join(' OR ')})`;
  return { sql, parameters: terms.flatMap(({ rows }) => rows.parameters) };
}

function negated({ sql, parameters }: Sql): Sql {
  return { sql: `NOT ${sql}`, parameters };
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
        const condition = both(dialect.equals(id), dialect.detailIsOneOf(prefixes));
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

const ALL: Sql = { sql: 'TRUE', parameters: [] };

function entryTerm(key: number, { sql, parameters }: Sql): Term {
  return {
    column: 'resource',
    rows: { sql: `search_entry WHERE field = ? AND ${sql}`, parameters: [key, ...parameters] },
  };
}

/** Ids have no entries, because the table of resources finds them. */
function idTerm({ system = '', code = '' }: TokenValue, { type, keyOf }: SqlContext): Term {
  const hasContent = `EXISTS (SELECT 1 FROM search_entry
    WHERE search_entry.resource = resource.key AND field = ?)`;
  return {
    column: 'key',
    rows: {
      sql: `resource WHERE resource_type = ? AND id = ? AND ? = '' AND ${hasContent}`,
      parameters: [type, code, system, keyOf(PRESENT)],
    },
  };
}

/** An entry has the code as its value, and the system as its detail. */
function tokenCondition({ system, code }: TokenValue, equals: SqlDialect['equals']): Sql {
  // An empty system matches codes without a system.
  const ofSystem = system === undefined ? ALL : { sql: 'detail = ?', parameters: [system] };
  return both(code === undefined ? ALL : equals(code), ofSystem);
}

/** An entry has the folded text as its value, and the text as its detail. */
function stringCondition(value: string, match: StringMatch, dialect: SqlDialect): Sql {
  const folded = fold(value);
  switch (match) {
    case 'exact':
      return both(dialect.equals(folded), { sql: 'detail = ?', parameters: [value] });
    case 'contains':
      return dialect.contains(folded);
    case 'startsWith':
      return dialect.startsWith(folded);
  }
}

function both(one: Sql, other: Sql): Sql {
  if (one === ALL) return other;
  if (other === ALL) return one;
  return {
    sql: `${one.sql} AND ${other.sql}`,
    parameters: [...one.parameters, ...other.parameters],
  };
}

/** The entry of a start has the end as its detail. The entry of an end has the start. */
function dateTerms({ field, values }: DateCriterion, { keyOf, dialect }: SqlContext): Term[] {
  const termOf =
    (key: number): EntryTerm =>
    (sql, ...numbers) =>
      entryTerm(key, {
        sql: sql.replaceAll('value', dialect.value),
        parameters: numbers.map(dialect.number),
      });
  const [starts, ends] = [termOf(keyOf(field)), termOf(keyOf(endFieldOf(field)))];
  return values.flatMap((value) => periodTerms(value, starts, ends));
}

type EntryTerm = (sql: string, ...numbers: number[]) => Term;

function periodTerms(
  { prefix, start, end }: DateValue,
  starts: EntryTerm,
  ends: EntryTerm,
): Term[] {
  const isEqual = starts('value >= ? AND value < ? AND detail <= ?', start, end, end);
  const endsAfter = ends('value > ?', end);
  const startsBefore = starts('value < ?', start);
  switch (prefix) {
    case 'eq':
      return [isEqual];
    case 'ne':
      return [starts('(value < ? OR detail > ?)', start, end)];
    case 'gt':
      return [endsAfter];
    case 'lt':
      return [startsBefore];
    case 'ge':
      return [endsAfter, isEqual];
    case 'le':
      return [startsBefore, isEqual];
    case 'sa':
      return [starts('value >= ?', end)];
    case 'eb':
      return [ends('value <= ?', start)];
    case 'ap':
      return [ends('value > ? AND detail < ?', start, end)];
  }
}
