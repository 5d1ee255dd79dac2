/** The tables of `orders.db`, as the calls of a transaction use them. */
import type { DatabaseSync } from 'node:sqlite';
import type { Identity } from '../../fhir/audit/access.ts';
import type { AuditRecord } from '../../fhir/audit/audit.ts';
import { AUDIT_EVENT, parseAuditEventId } from '../../fhir/audit/audit-event.ts';
import type { FieldEntry, ResourceCriterion } from '../../fhir/search/criterion.ts';
import type {
  HistoryPage,
  HistoryRequest,
  ResourceAddress,
  StoredVersion,
} from '../../fhir/stored/repository.ts';
import { auditEventVersion } from '../repository/audit-event-version.ts';
import type { AuditNumber } from '../repository/audit-record.ts';
import type { SaltedParameters } from '../repository/salted-parameters.ts';
import type { TransactionTables } from '../repository/transaction-tables.ts';
import { loadEntries } from '../sql/audit-search.ts';
import type { KeptSearch, SearchMatches } from '../threads/reader-answers.ts';
import type { AuditLog } from './audit-log.ts';
import { inSavepoint } from './database.ts';
import { KeptSearches } from './kept-searches.ts';
import { ResourceTables } from './resource-tables.ts';
import { SqliteSession } from './session.ts';
import { SQLITE } from './sqlite-dialect.ts';

/** Statements over an open database. The caller closes it. */
export class SqliteTables implements TransactionTables {
  readonly #database: DatabaseSync;
  readonly #audit: AuditLog;
  readonly #session: SqliteSession;
  readonly #resources: ResourceTables;
  readonly #searches: KeptSearches;

  constructor(database: DatabaseSync, audit: AuditLog) {
    this.#database = database;
    this.#audit = audit;
    this.#session = new SqliteSession(database);
    this.#resources = new ResourceTables(database);
    this.#searches = new KeptSearches(database);
  }

  /** Call it at the start of each transaction. */
  begin(): void {
    this.#audit.begin();
    this.#resources.begin();
  }

  current(address: ResourceAddress): StoredVersion | undefined {
    if (address.type !== AUDIT_EVENT) return this.#resources.current(address);
    const name = parseAuditEventId(address.id);
    const [entry] = name === undefined ? [] : this.#session.run(loadEntries(SQLITE, [name]));
    return entry && auditEventVersion(entry);
  }

  version(address: ResourceAddress, version: number): StoredVersion | undefined {
    return this.#resources.version(address, version);
  }

  creator(address: ResourceAddress): Identity | undefined {
    return this.#resources.creator(address);
  }

  history(request: HistoryRequest): HistoryPage | undefined {
    const currentVersion = this.#resources.currentVersion(request);
    return currentVersion === undefined
      ? undefined
      : this.#resources.history(request, currentVersion);
  }

  matching(type: string, criteria: readonly ResourceCriterion[]): string[] | undefined {
    return this.#resources.matching(type, criteria);
  }

  add(
    type: string,
    stored: StoredVersion,
    entries: readonly FieldEntry[],
    entry: AuditNumber,
  ): void {
    this.#resources.add(type, stored, entries, entry);
  }

  append(recordedAt: string, record: AuditRecord): AuditNumber {
    return this.#audit.append(recordedAt, record);
  }

  addParameters(
    entry: AuditNumber,
    recordedAt: string,
    parameters: SaltedParameters,
    matches: SearchMatches,
  ): void {
    this.#searches.addParameters(entry, recordedAt, parameters, matches);
  }

  keepSearch(type: string, search: KeptSearch, nowMs: number): void {
    this.#searches.keep(type, search, nowMs);
  }

  undoUnlessDone<Result extends { readonly kind: string }>(action: () => Result): Result {
    const result = inSavepoint(this.#database, action);
    if (result.kind !== 'done') this.begin();
    return result;
  }
}
