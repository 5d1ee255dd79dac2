/** Moves between a data folder and a database carry everything. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { EDITION_COLUMNS } from '../../../src/storage/editions/edition-list.ts';
import { connect } from '../../../src/storage/postgres/connection/connection.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { MOVED_TABLES, type MovedTable } from '../../../src/storage/store/store-contents.ts';
import { contentsOf } from '../moved-data.ts';
import {
  filledDatabase,
  filledFolder,
  findingsOf,
  move,
  newDatabase,
  newFolderStore,
} from './move-places.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

describePostgres('moves between a folder and a database', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  it('carry every table to a database and back', async (context) => {
    const source = await filledFolder(context);
    const { store: database } = await newDatabase(context, server);
    const back = newFolderStore(context);
    const before = await contentsOf(source);
    await move(source, database);
    await move(database, back);
    assert.deepEqual(await contentsOf(database), before);
    assert.deepEqual(await contentsOf(back), before);
    assert.deepEqual(await findingsOf(database), []);
    assert.deepEqual(await findingsOf(back), []);
    assert.deepEqual(await contentsOf(source), before);
  });

  it('carry what several writers wrote to a folder and back', async (context) => {
    const source = await filledDatabase(context, server);
    const folder = newFolderStore(context);
    const { store: back } = await newDatabase(context, server);
    const before = await contentsOf(source);
    await move(source, folder);
    await move(folder, back);
    assert.deepEqual(await contentsOf(folder), before);
    assert.deepEqual(await contentsOf(back), before);
    assert.deepEqual([...(await findingsOf(folder)), ...(await findingsOf(back))], []);
  });

  it('are refused while a server uses the source, and into what has data', async (context) => {
    const source = await filledDatabase(context, server);
    const folder = newFolderStore(context);
    await move(source, folder);
    await assert.rejects(move(source, folder), /exists; move into a folder without data/);
    await assert.rejects(move(folder, source), /the database has data already; name an empty one/);
    const { store: target, url } = await newDatabase(context, server);
    const serving = folder.openServeLock(() => undefined);
    await assert.rejects(move(folder, target), { kind: 'locked' });
    serving.release();
    const used = await connect(parseDatabaseUrl(url), { name: 'gazetteer serve' });
    await assert.rejects(move(folder, target), /a server uses the database; stop it first/);
    await assert.rejects(target.contents.reserveAsSource(), /a server uses the database/);
    await used.close();
    await move(folder, target);
  });

  it('carry every column of the database that a store does not generate', async (context) => {
    const { name } = await newDatabase(context, server);
    const rows = await server.run(
      `SELECT table_name, column_name, is_nullable FROM information_schema.columns
       WHERE table_schema = current_schema()`,
      name,
    );
    const columns = rows
      .filter(({ table_name }) => !MADE_ANEW.has(`${table_name}`))
      .map(({ table_name, column_name }) => `${table_name}.${column_name}`)
      .filter((column) => !MADE_ANEW.has(column));
    assert.deepEqual(columns.toSorted(), CARRIED.toSorted());
  });

  it('carry NULL and another value in each column that can be NULL', async (context) => {
    const { name } = await newDatabase(context, server);
    const nullable = await server.run(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = current_schema() AND is_nullable = 'YES'`,
      name,
    );
    const columns = nullable
      .map(({ table_name, column_name }) => `${table_name}.${column_name}`)
      .filter((column) => CARRIED.includes(column));
    const source = await filledFolder(context);
    await using contents = await source.contents.read();
    for (const column of columns) {
      const [table, field = ''] = column.split('.');
      const carried: readonly object[] =
        table === 'edition'
          ? (contents.editions?.editions ?? [])
          : await Array.fromAsync(contents.orders?.rows(table as MovedTable) ?? []);
      const isNull = carried.map((row) => Reflect.get(row, field) === null);
      assert.deepEqual(new Set(isNull), new Set([true, false]), column);
    }
    assert.deepEqual(columns.toSorted(), NULLABLE.toSorted());
  });
});

/** Tables, and columns of tables that are carried, that each store makes itself. */
const MADE_ANEW: ReadonlySet<string> = new Set([
  'search_field',
  'search_entry',
  'search_index',
  'kept_search',
  'schema_version',
  'database_epoch',
  'audit_writer',
  'delivery_lease',
  // Each machine adds its own key. The next fetch looks for what is new.
  'token_key',
  'fetch_state',
  'audit_entry.mac',
  'resource_version.key',
  'resource_version.epoch',
  'resource_version.xid',
  'edition.content',
  'edition.checksum',
  'edition_difference.checksum',
  'publication.checksum',
]);

const CARRIED: readonly string[] = [
  ...Object.entries(MOVED_TABLES).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  ),
  ...EDITION_COLUMNS.map((column) => `edition.${column}`),
  ...['edition', 'kind', 'content'].map((column) => `edition_difference.${column}`),
  ...['id', 'edition', 'published_at'].map((column) => `publication.${column}`),
  ...['content', 'file', 'part', 'bytes'].map((column) => `edition_chunk.${column}`),
  ...['version', 'part', 'bytes'].map((column) => `postcode_part.${column}`),
  ...['version', 'part', 'bytes'].map((column) => `practitioner_part.${column}`),
  ...['receiver', 'accepted', 'sent', 'turn'].map((column) => `webhook_state.${column}`),
];

const NULLABLE = [
  'edition.pruned_at',
  'edition.compared_to',
  'subscription_delivery.failing_since',
];
