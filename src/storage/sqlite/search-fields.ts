/** The keys of the fields of the search index. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The key of a field that has no entries, and so no key. */
const NO_KEY = 0;

/** A lookup of keys over an open database. */
export class SearchFields {
  readonly #select: StatementSync;
  readonly #insert: () => StatementSync;
  /** By type and name. */
  readonly #keys = new Map<string, Map<string, number>>();
  #hasNew = false;

  constructor(database: DatabaseSync) {
    this.#select = database.prepare(
      'SELECT key FROM search_field WHERE resource_type = ? AND name = ?',
    );
    // Prepared when it is first used, because a reader cannot write.
    this.#insert = () =>
      database.prepare('INSERT INTO search_field (resource_type, name) VALUES (?, ?)');
  }

  /** Call it at the start of each transaction that writes: the one before may have failed. */
  begin(): void {
    if (this.#hasNew) this.#keys.clear();
    this.#hasNew = false;
  }

  /** For a search. */
  keyOf(type: string, name: string): number {
    return this.#known(type, name) ?? NO_KEY;
  }

  /** For an entry: adds a key that is missing. */
  keyFor(type: string, name: string): number {
    const known = this.#known(type, name);
    if (known !== undefined) return known;
    const key = Number(this.#insert().run(type, name).lastInsertRowid);
    this.#hasNew = true;
    return this.#note(type, name, key);
  }

  #known(type: string, name: string): number | undefined {
    const known = this.#keys.get(type)?.get(name);
    if (known !== undefined) return known;
    const row = this.#select.get(type, name);
    return row === undefined ? undefined : this.#note(type, name, Number(row.key));
  }

  #note(type: string, name: string, key: number): number {
    let keys = this.#keys.get(type);
    if (keys === undefined) {
      keys = new Map();
      this.#keys.set(type, keys);
    }
    keys.set(name, key);
    return key;
  }
}
