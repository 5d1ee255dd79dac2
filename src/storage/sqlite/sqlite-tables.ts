/** The tables of `orders.db`, as the calls of a transaction use them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditRecord, Identity } from '../../fhir/audit/audit.ts';
import { AUDIT_EVENT, parseAuditEventId } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import { lastUpdatedEntries } from '../../fhir/search/resource-parameter.ts';
import type {
  HistoryPage,
  HistoryRequest,
  ResourceAddress,
  StoredVersion,
} from '../../fhir/stored/repository.ts';
import type { DeliveryState } from '../../orders/subscriptions/delivery-store.ts';
import { type AuditNumber, auditEventVersion, identityIn } from '../repository/audit-record.ts';
import type { KeptSearch } from '../repository/reader-answers.ts';
import {
  NO_CONTENT,
  readHistory,
  VERSION_COLUMNS,
  versionOf,
} from '../repository/stored-version.ts';
import {
  type AddedParameters,
  type AddedVersion,
  CONDITION_CANDIDATES_MAX,
  type TransactionTables,
} from '../repository/transaction-tables.ts';
import { loadEntries } from '../sql/audit-search.ts';
import { matchingKeys } from '../sql/search.ts';
import type { AuditLog } from './audit-log.ts';
import { inSavepoint, prepareAll } from './database/database.ts';
import { EntryIndex } from './entry-index.ts';
import { SqliteSession } from './session.ts';
import { SQLITE } from './sqlite-dialect.ts';

const STATEMENTS = {
  current: `SELECT ${VERSION_COLUMNS.text} FROM resource AS r
    LEFT JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
    WHERE r.resource_type = ? AND r.id = ?`,
  version: `SELECT ${VERSION_COLUMNS.text} FROM resource_version AS v
    JOIN resource AS r ON r.key = v.resource WHERE r.resource_type = ? AND r.id = ? AND v.version = ?`,
  firstEntry: `SELECT a.entry FROM resource AS r
    JOIN resource_version AS v ON v.resource = r.key AND v.version = 1
    JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
    WHERE r.resource_type = ? AND r.id = ?`,
  firstEntries: `SELECT a.entry FROM resource AS r
    JOIN resource_version AS c ON c.resource = r.key AND c.version = r.current_version
    JOIN resource_version AS v ON v.resource = r.key AND v.version = 1
    JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
    WHERE r.resource_type = ? AND c.text <> '${NO_CONTENT}'`,
  insertResource: 'INSERT INTO resource (resource_type, id, current_version) VALUES (?, ?, 1)',
  updateResource:
    'UPDATE resource SET current_version = ? WHERE resource_type = ? AND id = ? RETURNING key',
  insertVersion: `INSERT INTO resource_version
      (resource, version, written_at, method, audit_writer, audit_number, text)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  idOf: 'SELECT id FROM resource WHERE key = ?',
  insertParameters: `INSERT INTO audit_parameters (writer, number, recorded_at, salt, parameters)
    SELECT ?, ?, ?, ?, ?
    WHERE NOT EXISTS (SELECT 1 FROM erasure) OR NOT EXISTS (
      SELECT 1 FROM json_each(?) AS shown
      CROSS JOIN resource AS r ON r.resource_type = ? AND r.id = shown.value
      CROSS JOIN erasure AS e ON e.resource = r.key)`,
  insertSearch:
    'INSERT INTO kept_search (id, expires_at, resource_type, members) VALUES (?, ?, ?, ?)',
  saveDelivery: `INSERT OR REPLACE INTO subscription_delivery
      (subscription, position, written_at, failing_since, problem)
    VALUES (?, ?, ?, ?, ?)`,
  deleteExpired: `DELETE FROM kept_search WHERE expires_at <= ?
      OR id IN (SELECT id FROM kept_search ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
} as const;

/** Statements over an open database. The caller closes it. */
export class SqliteTables implements TransactionTables {
  readonly #database: DatabaseSync;
  readonly #audit: AuditLog;
  readonly #index: EntryIndex;
  readonly #session: SqliteSession;
  readonly #statements: Readonly<Record<keyof typeof STATEMENTS, StatementSync>>;

  constructor(database: DatabaseSync, audit: AuditLog) {
    this.#database = database;
    this.#audit = audit;
    this.#index = new EntryIndex(database);
    this.#session = new SqliteSession(database);
    this.#statements = prepareAll(database, STATEMENTS);
  }

  /** Call it at the start of each transaction. */
  begin(): void {
    this.#audit.begin();
    this.#index.begin();
  }

  current({ type, id }: ResourceAddress): StoredVersion | undefined {
    if (type === AUDIT_EVENT) {
      const name = parseAuditEventId(id);
      const [entry] = name === undefined ? [] : this.#session.run(loadEntries(SQLITE, [name]));
      return entry && auditEventVersion(entry);
    }
    const row = this.#statements.current.get(type, id);
    if (row?.version === null) throw new Error(`the current version of ${type}/${id} is missing`);
    return row && versionOf(row);
  }

  version({ type, id }: ResourceAddress, version: number): StoredVersion | undefined {
    const row = this.#statements.version.get(type, id, version);
    return row && versionOf(row);
  }

  creator({ type, id }: ResourceAddress): Identity | undefined {
    return identityIn(String(this.#statements.firstEntry.get(type, id)?.entry));
  }

  creators(type: string): (Identity | undefined)[] {
    return this.#statements.firstEntries.all(type).map(({ entry }) => identityIn(String(entry)));
  }

  matching(type: string, criteria: readonly ResourceCriterion[]): string[] | undefined {
    const query = { type, criteria, sort: [], candidatesMax: CONDITION_CANDIDATES_MAX };
    const keys = this.#session.run(matchingKeys(SQLITE, this.#index.fields, query));
    return keys && Array.from(keys, (key) => String(this.#statements.idOf.get(key)?.id));
  }

  history(request: HistoryRequest): HistoryPage | undefined {
    return this.#session.run(readHistory(request));
  }

  add({ type, stored, entries, entry }: AddedVersion): void {
    const { id, version, writtenAt, method, text = NO_CONTENT } = stored;
    const key = version === 1 ? this.#addResource(type, id) : this.#nextVersion(type, id, version);
    const { writer, number } = entry;
    this.#statements.insertVersion.run(key, version, writtenAt, method, writer, number, text);
    if (text === NO_CONTENT) return;
    this.#index.add(type, key, [...entries, ...lastUpdatedEntries(writtenAt)]);
  }

  append(recordedAt: string, record: AuditRecord): AuditNumber {
    return this.#audit.append(recordedAt, record);
  }

  addParameters({ entry, recordedAt, salt, parameters, type, resources }: AddedParameters): void {
    const { writer, number } = entry;
    const shown = JSON.stringify(resources);
    const { insertParameters } = this.#statements;
    insertParameters.run(writer, number, recordedAt, salt, parameters, shown, type);
  }

  keepSearch(type: string, { id, keepMs, members }: KeptSearch, nowMs: number): void {
    this.#statements.deleteExpired.run(Math.floor(nowMs), SEARCHES_MAX);
    this.#statements.insertSearch.run(id, Math.floor(nowMs + keepMs), type, members);
  }

  saveDeliveries(states: readonly DeliveryState[]): void {
    for (const { subscription, position, writtenAt, failingSinceMs, problem } of states) {
      this.#statements.saveDelivery.run(subscription, position, writtenAt, failingSinceMs, problem);
    }
  }

  undoUnlessDone<Result extends { readonly kind: string }>(action: () => Result): Result {
    const result = inSavepoint(this.#database, action);
    if (result.kind !== 'done') this.begin();
    return result;
  }

  /** Returns the key of the new resource. */
  #addResource(type: string, id: string): number {
    return Number(this.#statements.insertResource.run(type, id).lastInsertRowid);
  }

  /** Removes the index entries of the version before, and returns the key of the resource. */
  #nextVersion(type: string, id: string, version: number): number {
    const key = Number(this.#statements.updateResource.get(version, type, id)?.key);
    this.#index.remove(key);
    return key;
  }
}

/** The most searches that are kept, besides the newest one. */
const SEARCHES_MAX = 1000;
