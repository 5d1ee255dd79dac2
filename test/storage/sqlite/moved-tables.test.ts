/** A move to another store carries every column, except what the other store makes itself. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { EDITION_COLUMNS } from '../../../src/storage/editions/edition-list.ts';
import { applyMigrations, type Migration } from '../../../src/storage/sqlite/database/database.ts';
import { EDITION_MIGRATIONS } from '../../../src/storage/sqlite/editions/edition-catalogue.ts';
import { REPOSITORY_MIGRATIONS } from '../../../src/storage/sqlite/repository-database.ts';
import { MOVED_TABLES } from '../../../src/storage/store/store-contents.ts';

/** Tables, and columns of moved tables, that each store makes itself. */
const MADE_ANEW: ReadonlySet<string> = new Set([
  'search_field',
  'search_entry',
  'search_index',
  'kept_search',
  'audit_resource',
  'audit_block',
  'audit_index',
  'set_back_version',
  'unclean',
  // The chain gets new numbers, and the key is the order of writing.
  'audit_entry.mac',
  'resource_version.key',
  'edition.checksum',
  'edition_difference.checksum',
  'publication.checksum',
]);

it('carries every column of orders.db that it does not make anew', () => {
  const moved = Object.entries(MOVED_TABLES).flatMap(([table, names]) =>
    names.map((name) => `${table}.${name}`),
  );
  assert.deepEqual(columnsOf(REPOSITORY_MIGRATIONS), moved.toSorted());
});

it('carries every column of directory.db that it does not generate', () => {
  const moved = [
    ...[...EDITION_COLUMNS, 'difference_by_role'].map((name) => `edition.${name}`),
    ...['edition', 'kind', 'codes'].map((name) => `edition_difference.${name}`),
    ...['id', 'edition', 'published_at'].map((name) => `publication.${name}`),
  ];
  assert.deepEqual(columnsOf(EDITION_MIGRATIONS), moved.toSorted());
});

/** Without those that each store makes itself. */
function columnsOf(migrations: readonly Migration[]): readonly string[] {
  using database = new DatabaseSync(':memory:');
  applyMigrations(database, migrations);
  const rows = database
    .prepare(
      `SELECT t.name AS tableName, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'`,
    )
    .all();
  return rows
    .filter(({ tableName }) => !MADE_ANEW.has(`${tableName}`))
    .map(({ tableName, name }) => `${tableName}.${name}`)
    .filter((column) => !MADE_ANEW.has(column))
    .toSorted();
}
