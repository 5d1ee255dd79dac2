/** The servers of one database should have the same base URL: the log tells if they do not. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { withConnection } from '../../src/storage/postgres/connection/connection.ts';
import { parseDatabaseUrl } from '../../src/storage/postgres/connection/database-url.ts';
import { addWriter } from '../../src/storage/postgres/tables/audit-writers.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './program.ts';

describePostgres('the servers of a database', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it('warn if they do not have the same base URL', async (context) => {
    const folder = temporaryFolder(context);
    const url = postgres.url(await postgres.createDatabase());
    const auditKey = join(folder, 'audit.key');
    const warningOf = async (...words: string[]) => {
      const place = ['--data', join(folder, 'data'), '--database-url', url];
      const keys = ['--orders-audit-key-file', auditKey, '--threads', '1'];
      const server = await serve(context, [...place, ...keys, ...words]);
      await server.logged(/^audit head$/);
      assert.equal(await server.stop(), 0);
      return server.log.find(({ code }) => code === 'GZ304');
    };
    const baseUrl = 'https://orders.example';
    assert.equal(await warningOf('--base-url', baseUrl), undefined);
    await withConnection(parseDatabaseUrl(url), { name: 'test' }, (connection) =>
      addWriter(connection, readFileSync(auditKey), Date.now(), { baseUrl, node: 'gz2' }),
    );
    assert.equal(await warningOf('--base-url', baseUrl), undefined);

    const warning = await warningOf('--base-url', 'https://other.example');
    assert.equal(warning?.msg, 'another server of this database has a different baseUrl');
    const { baseUrl: own, other, node } = warning;
    assert.deepEqual([own, other, node], ['https://other.example', baseUrl, 'gz2']);
    assert.equal((await warningOf())?.baseUrl, null);
  });
});
