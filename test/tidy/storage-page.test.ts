/** The page about storage lists the tables and columns that the program writes. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openDataFolder } from '../../src/storage/data-folder.ts';
import { openEditionStore } from '../../src/storage/sqlite/editions/edition-store.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { plain, readPage } from './markdown.ts';

const storagePage = readPage('docs/reference/storage.md');

describe('the page about storage', () => {
  it('lists exactly the tables and columns of the databases', (context) => {
    const folder = openDataFolder(temporaryFolder(context));
    openEditionStore(folder).close();
    openRepositoryDatabase(folder).database.close();
    const columns = [folder.directoryDatabase, folder.ordersDatabase].flatMap((path) => {
      const database = new DatabaseSync(path, { readOnly: true });
      const rows = database
        .prepare(
          `SELECT t.name AS "table", c.name AS "column", c.type AS type
           FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
           WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
        )
        .all();
      database.close();
      return rows.map((row) => `${row.table}.${row.column} ${row.type}`);
    });
    const documented = storagePage.tables
      .filter(({ head }) => head[0] === 'column')
      .flatMap(({ heading, rows }) =>
        rows.map(([column, type]) => `${plain(heading)}.${plain(column)} ${type}`),
      );
    assert.deepEqual(documented.sort(), columns.sort());
  });
});
