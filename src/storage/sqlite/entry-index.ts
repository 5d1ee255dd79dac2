/** The index of search parameters: its entries are those of the current versions of resources. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FieldEntry } from '../../fhir/search/criterion.ts';
import { FieldKeys, fieldsOf } from '../sql/search.ts';
import { type EntryRow, rowsOf } from '../sql/search-rows.ts';
import { SqliteSession } from './session.ts';

/** Statements over an open database. The caller closes it. */
export class EntryIndex {
  readonly #database: DatabaseSync;
  readonly #session: SqliteSession;
  /** Also for searches: a transaction that fails must not leave keys behind. */
  readonly fields = new FieldKeys();
  #hasNew = false;
  readonly #delete: StatementSync;
  /** By the number of rows that they insert. */
  readonly #inserts: StatementSync[] = [];

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#session = new SqliteSession(database);
    this.#delete = database.prepare('DELETE FROM search_entry WHERE resource = ?');
  }

  /** Call it at the start of each transaction: the one before may have failed. */
  begin(): void {
    if (this.#hasNew) this.fields.forget();
    this.#hasNew = false;
  }

  /** `entries`: those of the current version of a resource that had none. */
  add(type: string, resource: number, entries: readonly FieldEntry[]): void {
    const rows = entries.flatMap(rowsOf);
    if (rows.some(({ name }) => !this.fields.has({ type, name }))) {
      this.#hasNew = true;
      this.#session.run(this.fields.add(fieldsOf(type, rows)));
    }
    for (let at = 0; at < rows.length; at += ROWS_MAX) {
      this.#insert(type, resource, rows.slice(at, at + ROWS_MAX));
    }
  }

  remove(resource: number): void {
    this.#delete.run(resource);
  }

  #insert(type: string, resource: number, rows: readonly EntryRow[]): void {
    let statement = this.#inserts[rows.length];
    if (statement === undefined) {
      const values = rows.map(() => '(?, ?, ?, ?)').join(', ');
      // A resource may have the same value twice.
      statement = this.#database.prepare(
        `INSERT OR IGNORE INTO search_entry (field, value, resource, detail) VALUES ${values}`,
      );
      this.#inserts[rows.length] = statement;
    }
    const parameters: (string | number)[] = [];
    for (const { name, value, detail } of rows) {
      parameters.push(this.fields.keyOf(type, name), value, resource, detail);
    }
    statement.run(...parameters);
  }
}

/** The most rows in one statement. */
const ROWS_MAX = 16;
