/** The store of editions in PostgreSQL: the contract, and lost connections, damage and rights. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import {
  openDatabaseEditions,
  verifyDatabaseEditions,
} from '../../../src/storage/postgres/editions/database-editions.ts';
import { grantsSql } from '../../../src/storage/postgres/schema/grants.ts';
import { migrateDatabase } from '../../../src/storage/postgres/schema/schema.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import {
  describeEditionStore,
  type EditionPlace,
  smallEdition,
} from '../edition-store.contract.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

describePostgres('the PostgreSQL store of editions', () => {
  let server: PostgresServer;
  /** It has the current schema, so that a copy is opened faster than an empty database. */
  let template: string;
  before(async () => {
    server = await startPostgres();
    template = await server.createDatabase();
    await migrateDatabase(parseDatabaseUrl(server.url(template)));
  });
  after(() => server.stop());

  describeEditionStore(async (): Promise<EditionPlace> => {
    const path = mkdtempSync(join(tmpdir(), 'gazetteer-editions-'));
    const address = parseDatabaseUrl(server.url(await server.createDatabase(template)));
    return {
      open: (now) => openDatabaseEditions({ address, openFolder: () => openDataFolder(path), now }),
      remove: () => rmSync(path, { recursive: true }),
    };
  });

  const openStore = (context: TestContext, url: string, now?: () => Date) => {
    const address = parseDatabaseUrl(url);
    const path = temporaryFolder(context);
    const openFolder = () => openDataFolder(path);
    const store = openDatabaseEditions({ address, openFolder, ...(now && { now }) });
    context.after(() => store.close());
    return { address, store, openFolder };
  };

  for (const cut of ['before the COMMIT', 'within the COMMIT', 'after the COMMIT'] as const) {
    it(`finds out whether an edition is published if the connection is cut ${cut}`, async (context) => {
      const proxy = await startCuttingProxy(server.port);
      context.after(() => proxy.stop());
      const database = await server.createDatabase();
      const url = server.url(database).replace(`:${server.port}/`, `:${proxy.port}/`);
      let times = 0;
      const { store } = openStore(context, url, () => {
        times += 1;
        // The second time is that of the publication.
        if (times === 2) proxy.cutNext(cut);
        return new Date();
      });
      const publishing = smallEdition(store, 1, 3);
      if (cut === 'after the COMMIT') assert.equal((await publishing).number, 1);
      else await assert.rejects(publishing, { kind: 'unreachable' });
      assert.equal(proxy.cutsLeft, 0);
      const listed = await store.list();
      assert.equal(listed.length, cut === 'after the COMMIT' ? 1 : 0);
      assert.equal((await smallEdition(store, 2, 3)).number, listed.length + 1);
    });
  }

  it('finds damage in the list and in the data, and does not load it', async (context) => {
    const database = await server.createDatabase();
    const { address, store, openFolder } = openStore(context, server.url(database));
    for (const seed of [1, 2]) await smallEdition(store, seed, 3);
    const partsOf = async () => {
      const parts = await Array.fromAsync(verifyDatabaseEditions(address, undefined));
      return parts.flatMap(({ name, findings }) =>
        findings.map((finding) => `${name}: ${finding}`),
      );
    };
    assert.deepEqual(await partsOf(), []);
    await server.run(
      `UPDATE edition_chunk SET bytes = set_byte(bytes, 0, 255)
       WHERE file = 'small.bin' AND content = (SELECT content FROM edition WHERE number = 1);
       UPDATE edition_difference SET content = '' WHERE edition = 2 AND kind = 'added'`,
      database,
    );
    const [list, data, ...others] = await partsOf();
    assert.match(list ?? '', /^list of editions: edition 2: the list of codes that it added was/);
    assert.match(data ?? '', /^edition 1: .*small\.bin: its checksum is wrong/);
    assert.deepEqual(others, []);
    rmSync(openFolder().cache, { recursive: true });
    await assert.rejects(store.load(1), { kind: 'damaged' });
    await server.run('UPDATE edition SET records = 7 WHERE number = 2', database);
    assert.equal((await store.current())?.number, 1, 'a damaged row is not used');
    assert.deepEqual(await store.findings(), ['edition 2: its row was changed']);
  });

  it('keeps copies of the editions that the database keeps, and no others', async (context) => {
    const database = await server.createDatabase(template);
    const { store, openFolder } = openStore(context, server.url(database));
    for (const seed of [1, 2, 3, 4]) await smallEdition(store, seed, 2);
    const copies = readdirSync(openFolder().cache, { withFileTypes: true });
    assert.equal(copies.filter((entry) => entry.isDirectory()).length, 2);
  });

  it('needs no more than the rights of a server', async (context) => {
    const database = await server.createDatabase();
    await migrateDatabase(parseDatabaseUrl(server.url(database)));
    await server.run('CREATE ROLE importing LOGIN; CREATE ROLE erasing');
    await server.run(grantsSql({ serve: 'importing', erase: 'erasing' }), database);
    const { store } = openStore(context, server.url(database, 'importing'));
    for (const seed of [1, 2, 3]) await smallEdition(store, seed, 2);
    assert.deepEqual({ ...(await store.load(3)) }, { small: Uint32Array.of(3, 6) });
  });
});
