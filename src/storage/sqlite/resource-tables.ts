/** The tables of order responses as statements: what each call of the store reads and writes. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  type BusinessIdentifier,
  type HistoryPage,
  type HistoryRequest,
  historyPage,
  type StoredVersion,
  stampText,
  type UnstampedText,
} from '../../fhir/repository.ts';

/** Statements over an open database, which stays the caller's to close. */
export class ResourceTables {
  readonly #currentVersion: StatementSync;
  readonly #version: StatementSync;
  readonly #withIdentifier: StatementSync;
  readonly #history: StatementSync;
  readonly #lastBefore: StatementSync;
  readonly #insertOrder: StatementSync;
  readonly #updateOrder: StatementSync;
  readonly #insertVersion: StatementSync;
  readonly #insertIdentifier: StatementSync;
  readonly #deleteIdentifiers: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string) => database.prepare(sql);
    this.#currentVersion = prepare('SELECT current_version FROM order_response WHERE id = ?');
    this.#version = prepare(`${SELECT_VERSIONS} WHERE id = ? AND version = ?`);
    this.#withIdentifier = prepare(
      `SELECT id FROM order_response_identifier WHERE system = ? AND value = ? ORDER BY id`,
    );
    this.#history = prepare(
      `${SELECT_VERSIONS} WHERE id = ? AND version < ? AND version > ?
       ORDER BY version DESC LIMIT ?`,
    );
    this.#lastBefore = prepare(
      `SELECT version FROM order_response_version WHERE id = ? AND written_at < ?
       ORDER BY version DESC LIMIT 1`,
    );
    this.#insertOrder = prepare('INSERT INTO order_response (id, current_version) VALUES (?, ?)');
    this.#updateOrder = prepare('UPDATE order_response SET current_version = ? WHERE id = ?');
    this.#insertVersion = prepare(
      `INSERT INTO order_response_version (audit_entry, id, version, written_at, method, text)
       VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#insertIdentifier = prepare(
      'INSERT OR IGNORE INTO order_response_identifier (system, value, id) VALUES (?, ?, ?)',
    );
    this.#deleteIdentifiers = prepare('DELETE FROM order_response_identifier WHERE id = ?');
  }

  /** Undefined where there is no such order response. */
  currentVersion(id: string): number | undefined {
    const row = this.#currentVersion.get(id);
    return row === undefined ? undefined : Number(row.current_version);
  }

  version(id: string, version: number): StoredVersion | undefined {
    const row = this.#version.get(id, version);
    return row && versionOf(row);
  }

  /** The ids of the order responses whose current version has the identifier. */
  withIdentifier({ system, value }: BusinessIdentifier): string[] {
    return this.#withIdentifier.all(system, value).map(({ id }) => String(id));
  }

  /** Of an order response that there is. */
  history(request: HistoryRequest, currentVersion: number): HistoryPage {
    const { id, count, sinceMs, before } = request;
    const tooOld =
      sinceMs === undefined ? undefined : this.#lastBefore.get(id, instantText(sinceMs))?.version;
    const after = Number(tooOld ?? 0);
    const rows = this.#history.iterate(id, before ?? currentVersion + 1, after, count + 1);
    return historyPage(versionsIn(rows), request, currentVersion - after);
  }

  /** The first version, or the next one, of an order response. */
  add(stored: StoredVersion, identifiers: readonly BusinessIdentifier[], entry: number): void {
    const { id, version, writtenAt, method, text } = stored;
    if (version === 1) {
      this.#insertOrder.run(id, version);
    } else {
      this.#updateOrder.run(version, id);
      this.#deleteIdentifiers.run(id);
    }
    this.#insertVersion.run(entry, id, version, writtenAt, method, text);
    for (const { system, value } of identifiers) this.#insertIdentifier.run(system, value, id);
  }
}

export const SELECT_VERSIONS =
  'SELECT id, version, written_at, method, text FROM order_response_version';

type Row = Record<string, SQLOutputValue>;

function* versionsIn(rows: Iterable<Row>): Iterable<StoredVersion> {
  for (const row of rows) yield versionOf(row);
}

export function versionOf(row: Row): StoredVersion {
  return {
    id: String(row.id),
    version: Number(row.version),
    writtenAt: String(row.written_at),
    method: row.method === 'POST' ? 'POST' : 'PUT',
    text: String(row.text),
  };
}

/** The number of the next version: 1 for a new order response. */
export function newVersion(
  id: string,
  version: number,
  text: UnstampedText,
  writtenAt: string,
): StoredVersion {
  const method = version === 1 ? 'POST' : 'PUT';
  return { id, version, writtenAt, method, text: stampText(text, version, writtenAt) };
}

/** `2026-11-21T09:30:00.123+00:00`: such texts are in the order of their times. */
export function instantText(ms: number): string {
  return new Date(Math.min(Math.ceil(ms), YEAR_9999_MS)).toISOString().replace('Z', '+00:00');
}

const YEAR_9999_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
