/**
 * Compiles the criteria of a search to SQL over the index `search_entry`. A criterion becomes
 * terms: each selects entries, and a resource matches if one term selects an entry of it.
 */
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { DateCriterion, DateValue } from '../../fhir/search/date.ts';
import { fold } from '../../fhir/search/fold.ts';
import type { ReferenceValue } from '../../fhir/search/reference.ts';
import type { SortKey } from '../../fhir/search/sort.ts';
import type { StringMatch } from '../../fhir/search/string.ts';
import type { TokenValue } from '../../fhir/search/token.ts';

export interface Sql {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** The key of a field in `search_field`. */
export type FieldKeyOf = (name: string) => number;

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
  type: string,
  keyOf: FieldKeyOf,
): CompiledCriterion {
  if (criterion.type === 'not') {
    return { test: negated(compileCriterion(criterion.criterion, type, keyOf).test) };
  }
  const terms = termsOf(criterion, type, keyOf);
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
  type: string,
  keyOf: FieldKeyOf,
): Term[] {
  const { field } = criterion;
  switch (criterion.type) {
    case 'missing':
      return [entryTerm(keyOf(field === '_id' ? PRESENT : field), ALL)];
    case 'token': {
      const { values, ignoreCase = false } = criterion;
      if (field === '_id') return values.map((value) => idTerm(value, type, keyOf));
      return values.map((value) => entryTerm(keyOf(field), tokenCondition(value, ignoreCase)));
    }
    case 'reference':
      return criterion.values.map((value) => entryTerm(keyOf(field), referenceCondition(value)));
    case 'string':
      return criterion.values.map((value) =>
        entryTerm(keyOf(field), stringCondition(value, criterion.match)),
      );
    case 'date':
      return dateTerms(criterion, keyOf);
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
function idTerm({ system = '', code = '' }: TokenValue, type: string, keyOf: FieldKeyOf): Term {
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
function tokenCondition({ system, code }: TokenValue, ignoreCase: boolean): Sql {
  const terms: string[] = [];
  const parameters: string[] = [];
  if (code !== undefined) {
    terms.push(ignoreCase ? 'value = ? COLLATE NOCASE' : 'value = ?');
    parameters.push(code);
  }
  if (system !== undefined) {
    terms.push('detail = ?'); // an empty system matches codes without a system
    parameters.push(system);
  }
  return { sql: terms.join(' AND ') || 'TRUE', parameters };
}

/** An entry has the id as its value, and the prefix as its detail. */
function referenceCondition({ id, prefixes }: ReferenceValue): Sql {
  // There can be more prefixes than a statement may have parameters.
  const sql = 'value = ? AND detail IN (SELECT value FROM json_each(?))';
  return { sql, parameters: [id, JSON.stringify(prefixes)] };
}

/** An entry has the folded text as its value, and the text as its detail. */
function stringCondition(value: string, match: StringMatch): Sql {
  const folded = fold(value);
  switch (match) {
    case 'exact':
      return { sql: 'value = ? AND detail = ?', parameters: [folded, value] };
    case 'contains':
      return { sql: 'instr(value, ?) > 0', parameters: [folded] };
    case 'startsWith':
      // The byte FF is in no text, and comes after all texts.
      return {
        sql: `value >= ? AND value < ? || CAST(x'FF' AS TEXT)`,
        parameters: [folded, folded],
      };
  }
}

/** Entries of starts have the end as their detail, and the other way round. */
function dateTerms({ field, values }: DateCriterion, keyOf: FieldKeyOf): Term[] {
  const starts: EntryTerm = (sql, ...parameters) => entryTerm(keyOf(field), { sql, parameters });
  const ends: EntryTerm = (sql, ...parameters) =>
    entryTerm(keyOf(endFieldOf(field)), { sql, parameters });
  return values.flatMap((value) => periodTerms(value, starts, ends));
}

type EntryTerm = (sql: string, ...parameters: number[]) => Term;

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
