/** The keys of the fields of the search index. They never change, so each connection keeps them. */
import type { EntryRow } from '../sql/search-rows.ts';
import { textArray } from './arrays.ts';
import type { Connection } from './connection.ts';

/** The key of a field that has no entries, and so no key. */
const NO_KEY = 0;

interface FieldName {
  readonly type: string;
  readonly name: string;
}

export class FieldKeys {
  readonly #keys = new Map<string, number>();

  /** For a search. Call `know` before. */
  keyOf(type: string, name: string): number {
    return this.#keys.get(`${type} ${name}`) ?? NO_KEY;
  }

  /** Reads the keys again if one of these is not known. */
  async know(connection: Connection, fields: readonly FieldName[]): Promise<void> {
    if (fields.some((field) => !this.#has(field))) await this.#read(connection);
  }

  /** Adds the keys that are missing, in a separate transaction. */
  async add(connection: Connection, fields: readonly FieldName[]): Promise<void> {
    await this.know(connection, fields);
    const missing = fields.filter((field) => !this.#has(field));
    if (missing.length === 0) return;
    await connection.query(
      `INSERT INTO search_field (resource_type, name)
       SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
      [textArray(missing.map(({ type }) => type)), textArray(missing.map(({ name }) => name))],
    );
    await this.#read(connection);
  }

  #has({ type, name }: FieldName): boolean {
    return this.#keys.has(`${type} ${name}`);
  }

  async #read(connection: Connection): Promise<void> {
    const rows = await connection.query('SELECT key, resource_type, name FROM search_field');
    for (const { key, resource_type, name } of rows) {
      this.#keys.set(`${resource_type} ${name}`, Number(key));
    }
  }
}

/** The fields of index rows, each once. */
export function fieldsOf(type: string, rows: readonly EntryRow[]): FieldName[] {
  return [...new Set(rows.map(({ name }) => name))].map((name) => ({ type, name }));
}
