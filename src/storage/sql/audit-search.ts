/** Finds audit entries, and reads them as resources. */
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { ReferenceValue } from '../../fhir/search/reference.ts';
import type { SearchStart } from '../../fhir/stored/repository.ts';
import { PATIENT_PARAMETERS } from '../../orders/order-response/search-parameters.ts';
import { auditEntryOf } from '../repository/audit-record.ts';
import {
  all,
  first,
  joinedSql,
  type Row,
  type Sql,
  type SqlSteps,
  sql,
} from '../repository/statement.ts';
import { entryCondition } from './audit-criteria.ts';
import type { SqlDialect } from './dialect.ts';
import { type FieldKeys, matchingKeys } from './search.ts';

/** The name of an entry. */
export type EntryName = Pick<AuditEntry, 'writer' | 'number'>;

export interface AuditQuery {
  /** Only entries from the first one on that was recorded at or after this time. */
  readonly sinceMs?: number | undefined;
  /** Only those that match all; see `fhir/audit/audit-search.ts`. */
  readonly criteria?: readonly ResourceCriterion[];
  /** Only those of the request with this id. */
  readonly requestId?: string | undefined;
  /** The most entries: the newest ones. */
  readonly newest?: number | undefined;
}

interface FoundEntry extends EntryName {
  readonly recordedAt: string;
}

/**
 * The names of the matching entries in order; without sort keys the newest entry comes first.
 * Undefined if more than `candidatesMax` match, or too many entries would have to be read.
 */
export function* matchingEntries(
  dialect: SqlDialect,
  fields: FieldKeys,
  { criteria, sort, candidatesMax }: Pick<SearchStart, 'criteria' | 'sort' | 'candidatesMax'>,
): SqlSteps<readonly EntryName[] | undefined> {
  const own = yield* withoutPatients(dialect, fields, criteria, candidatesMax);
  if (own === undefined) return undefined;
  const entriesMax = candidatesMax * ENTRIES_OF_CANDIDATE;
  const parts = yield* dialect.partsOf({ criteria: own, entriesMax });
  if (parts === undefined) return undefined;
  const isMatch = matchCondition(dialect, own);
  const found: FoundEntry[] = [];
  let looks = 0;
  for (const part of parts.toReversed()) {
    // One text of all entries is read several times faster than a row for each.
    const row = yield* first(sql`
      SELECT count(*) AS looks, string_agg(a.writer || ' ' || a.number || ' ' || a.recorded_at, ',')
        FILTER (WHERE ${isMatch}) AS found FROM ${part}`);
    looks += Number(row?.looks);
    found.push(...entriesIn(row));
    if (looks > entriesMax || found.length > candidatesMax) return undefined;
  }
  const [key] = sort;
  found.sort((one, other) => compareEntries(other, one));
  return key === undefined || key.isDescending ? found : found.reverse();
}

/** The most entries to read for each one that may match. */
const ENTRIES_OF_CANDIDATE = 10;

function entriesIn(row: Row | undefined): FoundEntry[] {
  if (typeof row?.found !== 'string') return [];
  return row.found.split(',').map((text) => {
    const [writer, number, recordedAt = ''] = text.split(' ');
    return { writer: Number(writer), number: Number(number), recordedAt };
  });
}

function compareEntries(one: FoundEntry, other: FoundEntry): number {
  if (one.recordedAt !== other.recordedAt) return one.recordedAt < other.recordedAt ? -1 : 1;
  return one.writer - other.writer || one.number - other.number;
}

/** The matching entries, the oldest first, however many there are: some, and queries for the others. */
export interface ListedEntries {
  readonly entries: readonly AuditEntry[];
  readonly queries: readonly Sql[];
}

/** The rows of the queries are for `auditEntryOf`. */
export function* listEntries(
  dialect: SqlDialect,
  fields: FieldKeys,
  { criteria = [], sinceMs, requestId, newest }: AuditQuery,
): SqlSteps<ListedEntries> {
  const own = yield* withoutPatients(dialect, fields, criteria, Number.MAX_SAFE_INTEGER - 1);
  const parts = (yield* dialect.partsOf({ criteria: own ?? [], sinceMs })) ?? [];
  const ofRequest =
    requestId === undefined ? [] : [sql`${dialect.member('requestId')} = ${requestId}`];
  const isMatch = matchCondition(dialect, own ?? [], ofRequest);
  if (newest === undefined) {
    const queries = parts.map(
      (part) =>
        sql`${SELECT_ENTRIES} FROM ${part} AND ${isMatch} ORDER BY ${joinedSql(dialect.entryOrder, ', ')}`,
    );
    return { entries: [], queries };
  }
  const entries: AuditEntry[] = [];
  const descending = joinedSql(
    dialect.entryOrder.map((column) => sql`${column} DESC`),
    ', ',
  );
  for (const part of parts.toReversed()) {
    const rows = yield* all(sql`${SELECT_ENTRIES} FROM ${part} AND ${isMatch}
      ORDER BY ${descending} LIMIT ${newest - entries.length}`);
    entries.push(...rows.map((row) => auditEntryOf(row, dialect.store)));
    if (entries.length === newest) break;
  }
  return { entries: entries.reverse(), queries: [] };
}

/** The entries with these names that exist. */
export function* loadEntries(
  { store }: SqlDialect,
  names: readonly EntryName[],
): SqlSteps<readonly AuditEntry[]> {
  if (names.length === 0) return [];
  const rows = names.map(
    ({ writer, number }) => sql`(CAST(${writer} AS bigint), CAST(${number} AS bigint))`,
  );
  const found = yield* all(sql`${SELECT_ENTRIES} FROM (VALUES ${joinedSql(rows, ', ')}) AS named
    CROSS JOIN audit_entry AS a WHERE a.writer = named.column1 AND a.number = named.column2`);
  return found.map((row) => auditEntryOf(row, store));
}

/** With the parameters of the entry `a`, if they are left. */
const SELECT_ENTRIES = sql`
  SELECT a.writer, a.number, a.recorded_at, a.entry, (SELECT p.parameters FROM audit_parameters AS p
    WHERE p.writer = a.writer AND p.number = a.number) AS parameters`;

/** Whether an entry that cannot be read matches is not known: it counts as a match. */
function matchCondition(
  dialect: SqlDialect,
  criteria: readonly ResourceCriterion[],
  others: readonly Sql[] = [],
): Sql {
  const conditions = [...criteria.map((one) => entryCondition(dialect, one)), ...others];
  return sql`(${dialect.isUnreadable} OR ${joinedSql(conditions, ' AND ', 'TRUE')})`;
}

/** Finds the resources of patients, whose entries then match. Undefined: there are too many. */
function* withoutPatients(
  dialect: SqlDialect,
  fields: FieldKeys,
  criteria: readonly ResourceCriterion[],
  candidatesMax: number,
): SqlSteps<readonly ResourceCriterion[] | undefined> {
  const own: ResourceCriterion[] = [];
  for (const criterion of criteria) {
    const sources = 'field' in criterion ? PATIENT_PARAMETERS.get(criterion.field) : undefined;
    if (sources === undefined) {
      own.push(criterion);
      continue;
    }
    const values: ReferenceValue[] = [];
    for (const { type, field } of sources) {
      const query = { type, criteria: [{ ...criterion, field }], sort: [], candidatesMax };
      const keys = yield* matchingKeys(dialect, fields, query);
      if (keys === undefined) return undefined;
      const row = yield* first(sql`SELECT string_agg(r.id, ' ') AS ids
        FROM ${dialect.listed([...keys])} CROSS JOIN resource AS r WHERE r.key = n.key`);
      const ids = typeof row?.ids === 'string' ? row.ids.split(' ') : [];
      for (const id of ids) values.push({ id, prefixes: [`${type}/`] });
    }
    own.push({ type: 'reference', field: 'reference', values });
  }
  return own;
}
