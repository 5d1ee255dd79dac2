/** The tables of resources as statements: what each call of the repository reads and writes. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Identity } from '../../fhir/audit/access.ts';
import type { FieldEntry, ResourceCriterion } from '../../fhir/search/criterion.ts';
import { lastUpdatedEntries } from '../../fhir/search/resource-parameter.ts';
import { historyPage } from '../../fhir/stored/history-page.ts';
import type {
  HistoryPage,
  HistoryRequest,
  ResourceAddress,
  StoredVersion,
} from '../../fhir/stored/repository.ts';
import { type AuditNumber, identityIn } from '../repository/audit-record.ts';
import {
  instantText,
  NO_CONTENT,
  VERSION_COLUMNS,
  versionOf,
} from '../repository/stored-version.ts';
import { CONDITION_CANDIDATES_MAX } from '../repository/transaction-tables.ts';
import { FieldKeys, matchingKeys } from '../sql/search.ts';
import { EntryIndex } from './entry-index.ts';
import { SqliteSession } from './session.ts';
import { SQLITE } from './sqlite-dialect.ts';

/** Statements over an open database. The caller closes it. */
export class ResourceTables {
  readonly #index: EntryIndex;
  readonly #session: SqliteSession;
  readonly #fields = new FieldKeys();
  readonly #currentVersion: StatementSync;
  readonly #current: StatementSync;
  readonly #version: StatementSync;
  readonly #firstEntry: StatementSync;
  readonly #history: StatementSync;
  readonly #lastBefore: StatementSync;
  readonly #insertResource: StatementSync;
  readonly #updateResource: StatementSync;
  readonly #insertVersion: StatementSync;
  readonly #idOf: StatementSync;

  constructor(database: DatabaseSync) {
    this.#index = new EntryIndex(database);
    this.#session = new SqliteSession(database);
    const prepare = (sql: string) => database.prepare(sql);
    this.#currentVersion = prepare(
      'SELECT current_version FROM resource WHERE resource_type = ? AND id = ?',
    );
    this.#current = prepare(
      `SELECT ${VERSION_COLUMNS.text} FROM resource AS r
       LEFT JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
       WHERE r.resource_type = ? AND r.id = ?`,
    );
    this.#version = prepare(
      `${SELECT_VERSIONS} WHERE r.resource_type = ? AND r.id = ? AND v.version = ?`,
    );
    this.#firstEntry = prepare(
      `SELECT a.entry FROM resource AS r
       JOIN resource_version AS v ON v.resource = r.key AND v.version = 1
       JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
       WHERE r.resource_type = ? AND r.id = ?`,
    );
    this.#history = prepare(
      `${SELECT_VERSIONS} WHERE r.resource_type = ? AND r.id = ? AND v.version < ? AND v.version > ?
       ORDER BY v.version DESC LIMIT ?`,
    );
    this.#lastBefore = prepare(
      `SELECT v.version FROM resource AS r JOIN resource_version AS v ON v.resource = r.key
       WHERE r.resource_type = ? AND r.id = ? AND v.written_at < ?
       ORDER BY v.version DESC LIMIT 1`,
    );
    this.#insertResource = prepare(
      'INSERT INTO resource (resource_type, id, current_version) VALUES (?, ?, 1)',
    );
    this.#updateResource = prepare(
      'UPDATE resource SET current_version = ? WHERE resource_type = ? AND id = ? RETURNING key',
    );
    this.#insertVersion = prepare(
      `INSERT INTO resource_version
         (resource, version, written_at, method, audit_writer, audit_number, text)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#idOf = prepare('SELECT id FROM resource WHERE key = ?');
  }

  /** Call it at the start of each transaction. */
  begin(): void {
    this.#index.begin();
  }

  /** The number of the current version; undefined if the resource does not exist. */
  currentVersion({ type, id }: ResourceAddress): number | undefined {
    const row = this.#currentVersion.get(type, id);
    return row === undefined ? undefined : Number(row.current_version);
  }

  /** Throws if the resource exists without its current version. */
  current({ type, id }: ResourceAddress): StoredVersion | undefined {
    const row = this.#current.get(type, id);
    if (row?.version === null) throw new Error(`the current version of ${type}/${id} is missing`);
    return row && versionOf(row);
  }

  version({ type, id }: ResourceAddress, version: number): StoredVersion | undefined {
    const row = this.#version.get(type, id, version);
    return row && versionOf(row);
  }

  /** Who wrote the first version, as its audit entry names the client. */
  creator({ type, id }: ResourceAddress): Identity | undefined {
    return identityIn(String(this.#firstEntry.get(type, id)?.entry));
  }

  /** The ids of the resources that match; undefined if the search is too costly. */
  matching(type: string, criteria: readonly ResourceCriterion[]): string[] | undefined {
    const query = { type, criteria, sort: [], candidatesMax: CONDITION_CANDIDATES_MAX };
    const keys = this.#session.run(matchingKeys(SQLITE, this.#fields, query));
    return keys && Array.from(keys, (key) => String(this.#idOf.get(key)?.id));
  }

  /** Of a resource that exists. */
  history(request: HistoryRequest, currentVersion: number): HistoryPage {
    const { type, id, count, sinceMs, before = currentVersion + 1 } = request;
    const tooOld =
      sinceMs === undefined
        ? undefined
        : this.#lastBefore.get(type, id, instantText(sinceMs))?.version;
    const after = Number(tooOld ?? 0);
    const rows = this.#history.iterate(type, id, before, after, count + 1);
    return { ...historyPage(versionsIn(rows), request), total: currentVersion - after };
  }

  /** Adds the first version, or the next one, of a resource. `entry` is that of its writing. */
  add(
    type: string,
    stored: StoredVersion,
    entries: readonly FieldEntry[],
    entry: AuditNumber,
  ): void {
    const { id, version, writtenAt, method, text = NO_CONTENT } = stored;
    const key = version === 1 ? this.#addResource(type, id) : this.#nextVersion(type, id, version);
    const { writer, number } = entry;
    this.#insertVersion.run(key, version, writtenAt, method, writer, number, text);
    if (text === NO_CONTENT) return;
    this.#index.add(type, key, [...entries, ...lastUpdatedEntries(writtenAt)]);
  }

  /** Returns the key of the new resource. */
  #addResource(type: string, id: string): number {
    return Number(this.#insertResource.run(type, id).lastInsertRowid);
  }

  /** Removes the index entries of the version before, and returns the key of the resource. */
  #nextVersion(type: string, id: string, version: number): number {
    const key = Number(this.#updateResource.get(version, type, id)?.key);
    this.#index.remove(key);
    return key;
  }
}

const SELECT_VERSIONS = `
  SELECT ${VERSION_COLUMNS.text} FROM resource_version AS v JOIN resource AS r ON r.key = v.resource`;

type Row = Record<string, SQLOutputValue>;

function* versionsIn(rows: Iterable<Row>): Iterable<StoredVersion> {
  for (const row of rows) yield versionOf(row);
}
