/** The page about storage lists the tables, columns and arrays that the program writes. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openRecordsForComparison } from '../../src/directory/edition/edition.ts';
import { buildChanges } from '../../src/directory/edition/kept-changes.ts';
import { openRows } from '../../src/directory/record/rows.ts';
import { RowsBuilder } from '../../src/directory/record/rows-builder.ts';
import { openDataFolder } from '../../src/storage/data-folder.ts';
import { openEditionStore } from '../../src/storage/sqlite/editions/edition-store.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';
import { editionArrays } from '../directory/edition-arrays.ts';
import { RECORDS } from '../directory/records.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { codesIn, plain, readPage } from './markdown.ts';

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

  it('lists exactly the arrays of an edition, with their types', () => {
    const built = editionArrays(RECORDS);
    const changes = buildChanges(undefined, openRecordsForComparison(built), () => false);
    const arrays = { ...built, ...changes.arrays };
    const documented = new Map(
      storagePage.tables
        .filter(({ head }) => head[0] === 'array')
        .flatMap(({ heading, rows }) =>
          rows.flatMap(([name, type = '']) => {
            const types = type.split(/, | or /);
            const suffix = plain(name);
            const prefixes = suffix.startsWith('.') ? codesIn(heading) : [''];
            return prefixes.map((prefix): [string, string[]] => [prefix + suffix, types]);
          }),
        ),
    );
    const names = Object.keys(arrays).map((name) => name.replace(/^references\./, ''));
    assert.deepEqual([...documented.keys()].sort(), [...new Set(names)].sort());
    for (const [name, array] of Object.entries(arrays)) {
      assert.ok(
        documented.get(name.replace(/^references\./, ''))?.includes(elementTypeOf(array)),
        `${name} is ${array}`,
      );
    }
  });

  it('splits its record into the shape and the values that it shows', () => {
    const block = (name: string) => {
      const found = storagePage.codeBlocks.find(({ language }) => language === `json ${name}`);
      return JSON.parse(found?.text ?? '');
    };
    const builder = new RowsBuilder();
    builder.add(block('record'));
    const arrays = builder.finish(Uint32Array.of(0));
    const rows = openRows(arrays);
    const shape = JSON.stringify(rows.shapeAt(0)).replace(/\uE000(\d+)\uE001/g, '⟨$1⟩');
    assert.deepEqual(JSON.parse(shape), block('shape'));
    const values: readonly string[] = block('values');
    const bytes = Buffer.concat(
      values.map((value) => Buffer.from([Buffer.byteLength(value), ...Buffer.from(value)])),
    );
    assert.deepEqual(Buffer.from(rows.values), bytes);
    assert.ok(storagePage.text.includes(`That is ${bytes.length} bytes`));
  });
});

function elementTypeOf(array: ArrayBufferView): string {
  if (array instanceof Uint8Array) return 'uint8';
  if (array instanceof Uint16Array) return 'uint16';
  return array instanceof Uint32Array ? 'uint32' : 'float64';
}
