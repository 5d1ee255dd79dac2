/**
 * The index of search parameters: its entries are those of the current versions of resources. It is
 * filled after a migration, and when a new version of the program has other search parameters. A fill
 * that is interrupted continues at the next start.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FieldEntry } from '../../fhir/search/criterion.ts';
import { type EntryRow, entriesOfText, INDEX_FORM, rowsOf } from '../repository/search-rows.ts';
import { FieldKeys, fieldsOf, NO_KEY } from '../sql/search.ts';
import { inTransaction } from './database/database.ts';
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
    if (rows.some(({ name }) => this.fields.keyOf(type, name) === NO_KEY)) {
      const before = this.#hasNew;
      this.#hasNew = true;
      this.#hasNew = this.#session.run(this.fields.add(fieldsOf(type, rows))) || before;
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

export interface IndexProgress {
  readonly resources: number;
  readonly total: number;
}

/** Does nothing if the index is filled. `onProgress` is called at the start, and after each part. */
export function fillSearchIndex(
  database: DatabaseSync,
  onProgress: (progress: IndexProgress) => void = () => {},
  resourcesInPart = RESOURCES_IN_PART,
): void {
  if (isIndexFilled(database)) return;
  const total = Number(database.prepare('SELECT count(*) AS n FROM resource').get()?.n);
  if (total > 0) onProgress({ resources: 0, total });
  for (let isDone = false; !isDone; ) {
    const resources = inTransaction(database, () => {
      begin(database);
      const last = fillPart(database, resourcesInPart);
      isDone = last === undefined;
      if (isDone) finish(database);
      return countTo(database, last);
    });
    if (total > 0) onProgress({ resources, total });
  }
}

/** Whether the index has the entries of every resource, for the present search parameters. */
export function isIndexFilled(database: DatabaseSync): boolean {
  return indexedTo(database) === Number.POSITIVE_INFINITY;
}

/** The last key to which the index is filled. Undefined if the index has other search parameters. */
export function indexedTo(database: DatabaseSync): number | undefined {
  const state = database.prepare('SELECT form, indexed_to FROM search_index').get();
  if (state?.form !== INDEX_FORM) return undefined;
  return state.indexed_to === FILLED ? Number.POSITIVE_INFINITY : Number(state.indexed_to);
}

/** In place of the last key: the index has the entries of all resources. */
const FILLED = -1;

/** Few parts, because each one changes most pages of the index; but not so few that a crash costs much. */
const RESOURCES_IN_PART = 250_000;

/** Removes the entries of other parameters, and the index that is quicker to make at the end. */
function begin(database: DatabaseSync): void {
  const form = database.prepare('SELECT form FROM search_index').get()?.form;
  if (form === INDEX_FORM) return;
  database.exec(`
    DELETE FROM search_entry;
    DELETE FROM search_index;
    DROP INDEX IF EXISTS search_entry_by_resource;
  `);
  database.prepare('INSERT INTO search_index (form, indexed_to) VALUES (?, 0)').run(INDEX_FORM);
}

/** Returns the last key of the part; undefined if there are no more resources after it. */
function fillPart(database: DatabaseSync, resourcesMax: number): number | undefined {
  const { indexed_to: from = 0 } =
    database.prepare('SELECT indexed_to FROM search_index').get() ?? {};
  const session = new SqliteSession(database);
  const fields = new FieldKeys();
  // Rows in the order of the table are written one page after the other.
  database.exec('CREATE TEMP TABLE search_draft (field, value, resource, detail)');
  const insert = database.prepare('INSERT INTO search_draft VALUES (?, ?, ?, ?)');
  let resources = 0;
  let last = Number(from);
  for (const row of database.prepare(SELECT_CURRENT).iterate(from, resourcesMax)) {
    resources += 1;
    last = Number(row.key);
    const type = String(row.resource_type);
    const rows = entriesOfText(type, String(row.text), String(row.written_at)).flatMap(rowsOf);
    session.run(fields.add(fieldsOf(type, rows)));
    for (const { name, value, detail } of rows) {
      insert.run(fields.keyOf(type, name), value, last, detail);
    }
  }
  database.exec(`
    INSERT OR IGNORE INTO search_entry (field, value, resource, detail)
      SELECT field, value, resource, detail FROM search_draft
      ORDER BY field, value, resource, detail;
    DROP TABLE search_draft;
  `);
  database.prepare('UPDATE search_index SET indexed_to = ?').run(last);
  return resources < resourcesMax ? undefined : last;
}

const SELECT_CURRENT = `
  SELECT r.key, r.resource_type, v.written_at, v.text FROM resource AS r
  JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
  WHERE r.key > ? ORDER BY r.key LIMIT ?`;

function finish(database: DatabaseSync): void {
  database.exec(`
    CREATE INDEX search_entry_by_resource ON search_entry (resource, field);
    UPDATE search_index SET indexed_to = ${FILLED};
  `);
}

function countTo(database: DatabaseSync, last: number | undefined): number {
  const row = database
    .prepare('SELECT count(*) AS n FROM resource WHERE key <= ?')
    .get(last ?? Number.MAX_SAFE_INTEGER);
  return Number(row?.n);
}
