/** A move to another store carries every column, except what the other store makes itself. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { applyMigrations } from '../../../src/storage/sqlite/database/database.ts';
import { REPOSITORY_MIGRATIONS } from '../../../src/storage/sqlite/repository-database.ts';
import { MOVED_TABLES } from '../../../src/storage/store-contents.ts';

/** Tables, and columns of moved tables, that each store makes itself. */
const MADE_ANEW: ReadonlySet<string> = new Set([
  ...['search_field', 'search_entry', 'search_index', 'kept_search'],
  ...['audit_resource', 'audit_block', 'audit_index', 'set_back_version', 'unclean'],
  // The chain gets new numbers, and the key is the order of writing.
  ...['audit_entry.mac', 'resource_version.key'],
]);

it('carries every column of orders.db that it does not make anew', () => {
  const database = new DatabaseSync(':memory:');
  applyMigrations(database, REPOSITORY_MIGRATIONS);
  const rows = database
    .prepare(
      `SELECT t.name AS tableName, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'`,
    )
    .all();
  database.close();
  const columns = rows
    .filter(({ tableName }) => !MADE_ANEW.has(`${tableName}`))
    .map(({ tableName, name }) => `${tableName}.${name}`)
    .filter((column) => !MADE_ANEW.has(column));
  const moved = Object.entries(MOVED_TABLES).flatMap(([table, names]) =>
    names.map((name) => `${table}.${name}`),
  );
  assert.deepEqual(columns.toSorted(), moved.toSorted());
});
