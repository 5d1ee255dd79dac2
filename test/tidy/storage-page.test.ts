/** The page about storage lists the tables that the program writes. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { openEditionStore } from '../../src/storage/sqlite/editions/edition-store.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { codesIn, itemsUnder, readPage } from './markdown.ts';

const storagePage = readPage('docs/reference/storage.md');

it('the page about storage lists exactly the tables of the databases', (context) => {
  const folder = openDataFolder(temporaryFolder(context));
  openEditionStore(folder).close();
  openRepositoryDatabase(folder).database.close();
  const tables = [folder.directoryDatabase, folder.ordersDatabase].flatMap((path) => {
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database
      .prepare(
        `SELECT name FROM pragma_table_list
         WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
      )
      .all();
    database.close();
    return rows.map(({ name }) => String(name));
  });
  const documented = ['The directory database', 'The database of order responses'].flatMap(
    (heading) => itemsUnder(storagePage, heading).flatMap(({ name }) => codesIn(name)),
  );
  assert.deepEqual(documented.sort(), tables.sort());
});
