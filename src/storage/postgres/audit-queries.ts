/** Finds audit entries. */
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { AUDIT_EVENT_SEARCH, auditEvent, auditEventId } from '../../fhir/audit/audit-event.ts';
import { type FieldEntry, matches, type ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { ReferenceValue } from '../../fhir/search/reference.ts';
import { entriesOf } from '../../fhir/search/resource-parameter.ts';
import type { SearchStart } from '../../fhir/stored/repository.ts';
import { PATIENT_PARAMETERS } from '../../order-response/search-parameters.ts';
import { auditEntryOf } from '../repository/audit-event-version.ts';
import { instantText } from '../repository/stored-version.ts';
import type { AuditQuery } from '../store.ts';
import { bigintArray } from './arrays.ts';
import { auditCondition } from './audit-conditions.ts';
import type { Connection, Parameter } from './connection.ts';
import { cursorRows } from './cursor.ts';
import { FieldKeys } from './field-keys.ts';
import { matchingKeys, numbered } from './search-queries.ts';
import { SELECT_ENTRIES } from './version-rows.ts';

/** The name of an entry. */
export type EntryName = Pick<AuditEntry, 'writer' | 'number'>;

/**
 * The names of the matching entries in order; without sort keys the newest entry comes first.
 * Undefined if more than `candidatesMax` match, or too many entries would have to be read.
 */
export async function matchingEntries(
  connection: Connection,
  fields: FieldKeys,
  { criteria, sort, candidatesMax }: Pick<SearchStart, 'criteria' | 'sort' | 'candidatesMax'>,
): Promise<readonly EntryName[] | undefined> {
  const own = await withoutPatients(connection, fields, criteria, candidatesMax);
  if (own === undefined) return undefined;
  const selection = { criteria: own, isNewestFirst: true, isBounded: true };
  const selected = entriesWith(connection, selection);
  const found: AuditEntry[] = [];
  let looks = 0;
  for await (const entry of selected) {
    if (++looks > candidatesMax * ENTRIES_OF_CANDIDATE) return undefined;
    if (!isMatch(entry, own)) continue;
    found.push(entry);
    if (found.length > candidatesMax) return undefined;
  }
  const [key] = sort;
  if (key !== undefined && !key.isDescending) found.reverse();
  return found;
}

/** The entries that match, oldest first. Call it in a transaction. */
export async function* findAuditEntries(
  connection: Connection,
  query: AuditQuery,
): AsyncGenerator<AuditEntry> {
  const { criteria = [], newest } = query;
  const fields = new FieldKeys();
  const own = await withoutPatients(connection, fields, criteria, Number.MAX_SAFE_INTEGER - 1);
  const isNewestFirst = newest !== undefined;
  const entries = entriesWith(connection, { ...query, criteria: own ?? [], isNewestFirst });
  const last: AuditEntry[] = [];
  for await (const entry of entries) {
    if (!isMatch(entry, own ?? [])) continue;
    if (newest === undefined) yield entry;
    else if (last.push(entry) === newest) break;
  }
  yield* last.reverse();
}

/** The most entries to read for each one that may match. */
const ENTRIES_OF_CANDIDATE = 10;

interface EntrySelection extends Pick<AuditQuery, 'sinceMs' | 'requestId'> {
  readonly criteria: readonly ResourceCriterion[];
  readonly isNewestFirst: boolean;
  /** The caller stops after a number of entries. */
  readonly isBounded?: boolean;
}

/** The entries that can match: SQL leaves out most of the others. */
async function* entriesWith(
  connection: Connection,
  { criteria, sinceMs, requestId, isNewestFirst, isBounded = false }: EntrySelection,
): AsyncGenerator<AuditEntry> {
  const conditions = criteria.flatMap((criterion) => auditCondition(criterion, !isBounded) ?? []);
  if (sinceMs !== undefined) {
    conditions.push({ sql: 'a.recorded_at >= ?', parameters: [instantText(sinceMs)] });
  }
  if (requestId !== undefined) {
    conditions.push({ sql: `a.entry::jsonb ->> 'requestId' = ?`, parameters: [requestId] });
  }
  const where = conditions.map(({ sql }) => sql).join(' AND ') || 'TRUE';
  const order = ['a.recorded_at', 'a.writer', 'a.number']
    .map((column) => (isNewestFirst ? `${column} DESC` : column))
    .join(', ');
  const parameters: Parameter[] = conditions.flatMap((each) => each.parameters);
  const rows = cursorRows(
    connection,
    numbered(`${SELECT_ENTRIES} WHERE ${where} ORDER BY ${order}`),
    parameters,
  );
  for await (const row of rows) yield auditEntryOf(row, connection.host);
}

function isMatch(entry: AuditEntry, criteria: readonly ResourceCriterion[]): boolean {
  if (criteria.length === 0) return true;
  const own = entriesOf(auditEvent(entry), AUDIT_EVENT_SEARCH.parameters);
  const all: FieldEntry[] = [{ field: '_id', code: auditEventId(entry) }, ...own];
  return criteria.every((criterion) => matches(criterion, all));
}

/** Finds the resources of patients, whose entries then match. Undefined: there are too many. */
async function withoutPatients(
  connection: Connection,
  fields: FieldKeys,
  criteria: readonly ResourceCriterion[],
  candidatesMax: number,
): Promise<readonly ResourceCriterion[] | undefined> {
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
      const keys = await matchingKeys(connection, fields, query);
      if (keys === undefined) return undefined;
      const rows = await connection.query(
        'SELECT id FROM resource WHERE key = ANY ($1::bigint[])',
        [bigintArray(keys)],
      );
      for (const { id } of rows) values.push({ id: String(id), prefixes: [`${type}/`] });
    }
    own.push({ type: 'reference', field: 'reference', values });
  }
  return own;
}
