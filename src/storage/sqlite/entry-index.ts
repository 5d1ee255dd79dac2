/** The index of search parameters: its entries are those of the current versions of resources. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FieldEntry } from '../../fhir/search/criterion.ts';
import { type EntryRow, rowsOf } from '../sql/search-rows.ts';
import { SearchFields } from './search-fields.ts';

/** Statements over an open database. The caller closes it. */
export class EntryIndex {
  readonly #database: DatabaseSync;
  readonly #fields: SearchFields;
  readonly #delete: StatementSync;
  /** By the number of rows that they insert. */
  readonly #inserts: StatementSync[] = [];

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#fields = new SearchFields(database);
    this.#delete = database.prepare('DELETE FROM search_entry WHERE resource = ?');
  }

  /** Call it at the start of each transaction. */
  begin(): void {
    this.#fields.begin();
  }

  /** `entries`: those of the current version of a resource that had none. */
  add(type: string, resource: number, entries: readonly FieldEntry[]): void {
    const rows = entries.flatMap(rowsOf);
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
      parameters.push(this.#fields.keyFor(type, name), value, resource, detail);
    }
    statement.run(...parameters);
  }
}

/** The most rows in one statement. */
const ROWS_MAX = 16;
