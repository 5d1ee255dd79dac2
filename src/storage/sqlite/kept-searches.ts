/** The stored parts of searches: their parameters for the audit log, and matches for links to pages. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditNumber } from '../repository/audit-record.ts';
import type { SaltedParameters } from '../repository/salted-parameters.ts';
import type { KeptSearch, SearchMatches } from '../threads/reader-answers.ts';

/** Statements over an open database. The caller closes it. */
export class KeptSearches {
  readonly #insertParameters: StatementSync;
  readonly #insertSearch: StatementSync;
  readonly #deleteExpired: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insertParameters = database.prepare(
      `INSERT INTO audit_parameters (writer, number, recorded_at, salt, parameters)
       SELECT ?, ?, ?, ?, ?
       WHERE NOT EXISTS (SELECT 1 FROM erasure) OR NOT EXISTS (
         SELECT 1 FROM json_each(?) AS shown
         CROSS JOIN resource AS r ON r.resource_type = ? AND r.id = shown.value
         CROSS JOIN erasure AS e ON e.resource = r.key)`,
    );
    this.#insertSearch = database.prepare(
      'INSERT INTO kept_search (id, expires_at, resource_type, members) VALUES (?, ?, ?, ?)',
    );
    this.#deleteExpired = database.prepare(
      `DELETE FROM kept_search WHERE expires_at <= ?
         OR id IN (SELECT id FROM kept_search ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
    );
  }

  /**
   * The entry has the digest of the parameters. Adds nothing if a resource that the search returned
   * was erased after the search had read it.
   */
  addParameters(
    { writer, number }: AuditNumber,
    recordedAt: string,
    { salt, parameters }: SaltedParameters,
    { type, resources }: SearchMatches,
  ): void {
    const shown = JSON.stringify(resources);
    this.#insertParameters.run(writer, number, recordedAt, salt, parameters, shown, type);
  }

  keep(type: string, { id, keepMs, members }: KeptSearch, nowMs: number): void {
    this.#deleteExpired.run(Math.floor(nowMs), SEARCHES_MAX);
    this.#insertSearch.run(id, Math.floor(nowMs + keepMs), type, members);
  }
}

/** The most searches that are kept, besides the newest one. */
const SEARCHES_MAX = 1000;
