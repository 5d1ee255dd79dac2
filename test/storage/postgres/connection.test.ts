/** Connections to a PostgreSQL server: hosts, passwords, certificates, and what refuses them. */
import assert from 'node:assert/strict';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { StorageError } from '../../../src/storage/files/storage-error.ts';
import type { ConnectionOptions } from '../../../src/storage/postgres/connection/client-config.ts';
import { connect } from '../../../src/storage/postgres/connection/connection.ts';
import { ConnectionLost } from '../../../src/storage/postgres/connection/database-error.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { makeCertificate, withoutOpenssl } from '../../certificates.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

const OPTIONS: ConnectionOptions = { name: 'gazetteer test' };

describePostgres('a connection to PostgreSQL', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
    await server.run("CREATE ROLE other LOGIN PASSWORD 'right'");
  });
  after(() => server.stop());

  const open = (url = server.url('postgres'), options: Partial<ConnectionOptions> = {}) =>
    connect(parseDatabaseUrl(url), { ...OPTIONS, ...options });
  const refusal = async (url: string, files = {}) => {
    const error = await connect(parseDatabaseUrl(url, files), OPTIONS).then(
      (connection) => connection.close(),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof StorageError, String(error));
    return error;
  };

  it('sends statements at once, and gets each answer', async () => {
    const connection = await open();
    const rows = await Promise.all([
      connection.query('SELECT 1 AS n'),
      connection.queryPrepared('SELECT $1::int + 1 AS n', [1]),
      connection.queryPrepared('SELECT $1::int + 1 AS n', [2]),
    ]);
    assert.deepEqual(rows, [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    await connection.close();
    assert.equal(connection.isOpen, false);
    await assert.rejects(connection.query('SELECT 1'), ConnectionLost);
  });

  it('ends a transaction that must survive a failover only if it is committed and replicated', async () => {
    const connection = await open();
    const certain = (sql: string) =>
      connection.certainTransaction(() => connection.query(sql).catch(() => []));
    assert.deepEqual(await certain('SELECT 1 AS n'), [{ n: 1 }]);
    const unsafe = (error: unknown) =>
      error instanceof ConnectionLost && /the transaction is not stored safely/.test(error.message);
    await assert.rejects(certain('SELECT 1/0'), unsafe);
    // The server warns in the same way when it gives up waiting for a replica.
    await assert.rejects(certain("DO $$ BEGIN RAISE WARNING 'no replica'; END $$"), unsafe);
    await connection.close();
  });

  it('tells whether a transaction was committed', async () => {
    const connection = await open();
    await connection.query('CREATE TABLE t (n int PRIMARY KEY)');
    await connection.begin();
    await connection.query('INSERT INTO t VALUES (1)');
    assert.equal(await connection.commit(), 'committed');
    const results = await Promise.allSettled([
      connection.begin(),
      connection.query('INSERT INTO t VALUES (1)'),
      connection.commit(),
    ]);
    assert.equal(results[1].status, 'rejected');
    assert.deepEqual(results[2], { status: 'fulfilled', value: 'rolled-back' });
    await connection.close();
  });

  it('gives each statement after a failed one the error of that one', async () => {
    const connection = await open();
    const results = await Promise.allSettled([
      connection.begin(),
      connection.query('SELECT 1'),
      connection.query('SELECT 1/0'),
      connection.query('SELECT 2'),
      connection.queryPrepared('SELECT $1::int', [3]),
      connection.queryPrepared('SELECT $1::int', [4]),
    ]);
    await connection.rollback();
    const errors = results.map((each) => (each.status === 'rejected' ? each.reason : undefined));
    assert.match(String(errors[2]), /division by zero/);
    assert.deepEqual(errors, [undefined, undefined, ...Array(4).fill(errors[2])]);
    await connection.begin();
    await assert.rejects(connection.query('SELECT 1 FROM nothing'), /"nothing" does not exist/);
    await assert.rejects(connection.query('SELECT 1'), /"nothing" does not exist/);
    await connection.rollback();
    await assert.rejects(connection.query('SELECT 1/0'), /division by zero/);
    assert.deepEqual(await connection.queryPrepared('SELECT $1::int AS n', [3]), [{ n: 3 }]);
    await connection.close();
  });

  it('reads what is committed, whatever isolation the database is set to', async () => {
    const database = await server.createDatabase();
    await server.run(`ALTER DATABASE ${database} SET default_transaction_isolation = serializable`);
    const connection = await open(server.url(database));
    assert.deepEqual(await connection.query('SHOW transaction_isolation'), [
      { transaction_isolation: 'read committed' },
    ]);
    await connection.close();
  });

  it('tries hosts in turn, and passes over one that only reads', async () => {
    const reader = await startPostgres(['default_transaction_read_only=on']);
    const hosts = `127.0.0.1:1,127.0.0.1:${reader.port},127.0.0.1:${server.port}`;
    try {
      const connection = await open(`postgres://postgres@${hosts}/postgres`);
      assert.equal(connection.host, `127.0.0.1:${server.port}`);
      await connection.close();
      const any = await open(`postgres://postgres@${hosts}/postgres?target_session_attrs=any`);
      assert.equal(any.host, `127.0.0.1:${reader.port}`);
      await any.close();
      const error = await refusal(reader.url('postgres'));
      assert.match(error.message, /does not accept writes now/);
    } finally {
      await reader.stop();
    }
  });

  it('says why there is none', async () => {
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['postgres://a@127.0.0.1:1/a', 'unreachable', /127\.0\.0\.1:1: .* nothing listens there/],
      [server.url('nowhere'), 'unusable', /there is no database nowhere; create it with "createdb/],
      [server.url('postgres', 'nobody'), 'denied', /refuses the user nobody/],
      [`${server.url('postgres')}?sslmode=require`, 'denied', /does not offer TLS/],
    ];
    for (const [url, kind, message] of cases) {
      const error = await refusal(url);
      assert.match(error.message, message);
      assert.equal(error.kind, kind);
    }
  });

  it('is refused with a wrong password, and without one', async () => {
    const hba = join(server.folder, 'pg_hba.conf');
    writeFileSync(
      hba,
      'host all other 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n',
    );
    await server.run('SELECT pg_reload_conf()');
    const url = (password: string) =>
      server.url('postgres', 'other').replace('other@', `other${password}@`);
    await (await open(url(':right'))).close();
    const wrong = await refusal(url(':wrong'));
    assert.match(wrong.message, /the password of the user other is wrong; check database\.url/);
    assert.doesNotMatch(wrong.message, /:wrong/);
    assert.match((await refusal(url(''))).message, /asks for the password of the user other/);
  });

  it('ends a statement that takes too long, and a connection that the server closes', async () => {
    let ended = 0;
    const options = { statementTimeoutMs: 60_000, onEnd: () => ended++ };
    const [slow, closed] = [await open(undefined, options), await open(undefined, options)];
    assert.deepEqual(await slow.query('SHOW statement_timeout'), [{ statement_timeout: '1min' }]);
    // A limit this short could also end the statements of a slow machine.
    await slow.query('SET statement_timeout = 50');
    await assert.rejects(slow.query('SELECT pg_sleep(600)'), /took too long for a statement/);
    assert.equal(slow.isOpen, true);
    const pending = closed.query('SELECT pg_terminate_backend(pg_backend_pid())');
    await assert.rejects(pending, ConnectionLost);
    assert.equal(closed.isOpen, false);
    assert.equal(ended, 1);
    await slow.close();
  });

  it('checks the certificate of the server', { skip: withoutOpenssl() }, async () => {
    const file = (name: string) => join(server.folder, name);
    makeCertificate(file('ca'), '/CN=authority');
    makeCertificate(file('server'), '/CN=localhost', file('ca'));
    makeCertificate(file('other'), '/CN=other');
    const { uid, gid } = statSync(server.folder);
    for (const name of ['server.key', 'server.crt']) chownSync(file(name), uid, gid);
    await server.run('ALTER SYSTEM SET ssl = on');
    await server.run('SELECT pg_reload_conf()');
    const url = (host: string, mode: string) =>
      `postgres://postgres@${host}:${server.port}/postgres?sslmode=${mode}`;
    const caFile = file('ca.crt');
    const modes = [
      ['127.0.0.1', 'require', {}],
      ['127.0.0.1', 'verify-ca', { caFile }],
      ['localhost', 'verify-full', { caFile }],
    ] as const;
    for (const [host, mode, files] of modes) {
      const connection = await connect(parseDatabaseUrl(url(host, mode), files), OPTIONS);
      const [row] = await connection.query(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      assert.deepEqual(row, { ssl: true }, mode);
      await connection.close();
    }
    const refused = [
      ['127.0.0.1', 'verify-full', { caFile }, /certificate .* is refused: .*set database\.caFile/],
      ['localhost', 'verify-full', { caFile: file('other.crt') }, /certificate .* is refused/],
      ['localhost', 'verify-ca', {}, /certificate .* is refused/],
    ] as const;
    for (const [host, mode, files, message] of refused) {
      assert.match((await refusal(url(host, mode), files)).message, message);
    }
  });
});
