/** Two servers on one PostgreSQL database, as two machines would be. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInProcess } from '../cli/run-in-process.ts';
import { KEY, publishedRelease, startTrud } from '../sources/trud/trud-server.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { resourceWith } from './orders-load.ts';
import { SAMPLE, type Server, serve } from './program.ts';

describePostgres('two servers on one database', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  /** A database, and machines with data folders of their own that use it. */
  async function installation(context: TestContext) {
    const folder = temporaryFolder(context);
    const database = await postgres.createDatabase();
    const url = postgres.url(database);
    const wordsOf = (machine: string) => ['--data', join(folder, machine), '--database-url', url];
    const auditKey = join(folder, 'audit.key');
    return {
      database,
      /** The servers share the key of the audit log. */
      serveAll: (machine: string) =>
        serve(context, [...wordsOf(machine), '--orders-audit-key-file', auditKey]),
      serve: (machine: string, ...words: string[]) =>
        serve(context, [...wordsOf(machine), '--orders-enabled=false', ...words]),
      run: (machine: string, ...words: string[]) => runInProcess([...words, ...wordsOf(machine)]),
    };
  }

  async function total(server: Server, query = ''): Promise<unknown> {
    const response = await fetch(`${server.origin}/STU3/Organization?_summary=count${query}`);
    const body: { total?: number } = Object(await response.json());
    return response.status === 200 ? body.total : response.status;
  }

  /** The database tells the servers of a new key for tokens a moment after it was made. */
  async function onceKeyIsKnown(send: () => Promise<Response>): Promise<Response> {
    for (;;) {
      const response = await send();
      if (response.status !== 401) return response;
      await response.text();
      await sleep(20);
    }
  }

  it('serve an edition that a third machine imports', async (context) => {
    const { serve, run } = await installation(context);
    const servers = [await serve('a'), await serve('b')];
    for (const server of servers) assert.equal(await total(server), 503);
    const imported = await run('c', 'import', SAMPLE);
    assert.equal(imported.code, 0, imported.stderr);
    for (const server of servers) {
      const { edition } = await server.logged(/^serving edition$/);
      assert.equal(edition, 1);
      assert.ok(Number(await total(server)) > 0);
    }
    const listed = await run('d', 'editions', '--json');
    assert.equal(JSON.parse(listed.stdout)[0].isCurrent, true);
  });

  it('answer links to an edition that another server has published a moment ago', async (context) => {
    const { serve, run } = await installation(context);
    assert.equal((await run('c', 'import', SAMPLE)).code, 0);
    const [first, second] = [await serve('a'), await serve('b')];
    const statusOf = async ({ origin }: Server, number: number) =>
      (await fetch(`${origin}/STU3/Organization?_edition=${number}`)).status;
    assert.equal(await statusOf(first, 2), 410, 'there is none');
    const imported = await run('c', 'import', SAMPLE, '--include-archive');
    assert.match(imported.stdout, /Edition 2, /);
    for (const server of [first, second]) {
      assert.equal(await statusOf(server, 2), 200);
      assert.equal(await statusOf(server, 1), 200);
      assert.equal(await statusOf(server, 3), 410);
    }
    const started = await serve('d');
    assert.equal(await statusOf(started, 1), 200, 'a replaced edition, in its grace period');
  });

  it('continue while the database is unavailable, and follow it again', async (context) => {
    const { serve, run } = await installation(context);
    assert.equal((await run('c', 'import', SAMPLE)).code, 0);
    const first = await serve('a');
    const count = await total(first);
    await postgres.kill();
    let isBack = false;
    context.after(async () => {
      if (!isBack) await postgres.start();
    });
    const { problem } = await first.logged(/^cannot reach the database/);
    const ready = async ({ operation }: Server) => {
      const answer = await fetch(`${operation}/readyz`);
      return `${answer.status} ${await answer.text()}`;
    };
    assert.equal(await ready(first), `200 ok\ndirectory: ${problem}\n`);
    assert.equal(await total(first), count);
    assert.equal(await first.stop(), 0);
    const again = await serve('a');
    assert.equal(await total(again), count, 'a start from the copy of this machine');
    const unknown = await fetch(`${again.origin}/STU3/Organization?_edition=2`);
    assert.equal(unknown.status, 503, 'another server may have it');
    assert.equal(unknown.headers.get('retry-after'), '5');
    await postgres.start();
    isBack = true;
    await again.logged(/^the database can be reached again$/);
    assert.equal(await ready(again), '200 ok\n');
    assert.match((await run('c', 'import', SAMPLE, '--include-archive')).stdout, /Edition 2, /);
    while ((await total(again, '&_edition=2')) === 503) await sleep(20);
  });

  it('share order responses, refuse them while the database is away, and go on by themselves', async (context) => {
    const { serveAll, run } = await installation(context);
    assert.equal((await run('c', 'import', SAMPLE)).code, 0);
    const [first, second] = [await serveAll('a'), await serveAll('b')];
    const made = await run('d', 'token', '--make-folder');
    const headers = {
      Authorization: `Bearer ${made.stdout.trim()}`,
      'Content-Type': 'application/json+fhir',
    };
    const create = ({ origin }: Server, mark: string) =>
      fetch(`${origin}/OrderResponse`, {
        method: 'POST',
        headers,
        body: JSON.stringify(resourceWith(mark)),
      });
    const created = await onceKeyIsKnown(() => create(first, 'one'));
    assert.equal(created.status, 201, await created.text());
    const path = new URL(created.headers.get('location') ?? '').pathname.split('/_history')[0];
    const read = await onceKeyIsKnown(() => fetch(`${second.origin}${path}`, { headers }));
    assert.equal(read.status, 200);
    assert.match(await read.text(), /one/);

    await postgres.kill();
    let isBack = false;
    context.after(async () => {
      if (!isBack) await postgres.start();
    });
    for (const server of [first, second]) {
      const refused = await create(server, 'two');
      assert.equal(refused.status, 503, await refused.text());
      assert.equal(refused.headers.get('retry-after'), '5');
      assert.ok(Number(await total(server)) > 0, 'the directory goes on');
    }
    await postgres.start();
    isBack = true;
    for (const server of [first, second]) {
      for (;;) {
        const { status } = await create(server, 'three');
        if (status === 201) break;
        assert.equal(status, 503);
        await sleep(100);
      }
      assert.equal((await fetch(`${server.origin}${path}`, { headers })).status, 200);
    }
  });

  it('fetch once for all, and share the time of the next fetch', async (context) => {
    const { serve, database } = await installation(context);
    const trud = await startTrud(context, await publishedRelease());
    const keyFile = join(temporaryFolder(context), 'key');
    writeFileSync(keyFile, KEY);
    const words = ['--threads', '1', '--directory-source', 'trud', '--trud-url', trud.url];
    const fetching = (machine: string) => serve(machine, ...words, '--trud-key-file', keyFile);
    const servers = await Promise.all([fetching('a'), fetching('b')]);
    for (const server of servers) await server.logged(/^serving edition$/);
    const planned = async () => {
      for (;;) {
        const rows = await postgres.run(
          "SELECT content FROM fetch_state WHERE name = 'planned'",
          database,
        );
        if (rows.length > 0) return JSON.parse(String(rows[0]?.content));
        await sleep(50);
      }
    };
    const { nextAt } = await planned();
    for (const server of servers) assert.equal(await server.stop(), 0);
    const other = await fetching('c');
    const next = async (): Promise<number> => {
      const metrics = await (await fetch(`${other.operation}/metrics`)).text();
      const [, seconds] = /^gazetteer_fetch_next_timestamp_seconds (\S+)$/m.exec(metrics) ?? [];
      return seconds === undefined ? await next() : Number(seconds);
    };
    assert.equal(await next(), Date.parse(nextAt) / 1000);
    assert.deepEqual(trud.requests, ['list', 'download']);
  });

  it('accept the tokens that any machine makes, until its key is revoked', async (context) => {
    const { serve, run, database } = await installation(context);
    assert.equal((await run('c', 'import', SAMPLE)).code, 0);
    const words = ['--directory-authenticate', '--threads', '1'];
    const servers = [await serve('a', ...words), await serve('b', ...words)];
    const tokenOf = async (machine: string) => {
      const { code, stdout, stderr } = await run(
        machine,
        'token',
        '--scope',
        'system/Organization.read',
        '--make-folder',
      );
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    const status = async (server: Server, token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${server.origin}/STU3/Organization`, { headers })).status;
    };
    /** A server hears of a change over the database. */
    const until = async (server: Server, token: string, expected: number) => {
      while ((await status(server, token)) !== expected) await sleep(20);
    };
    const ofServer = await tokenOf('a');
    const ofOther = await tokenOf('d');
    for (const server of servers) {
      for (const token of [ofServer, ofOther]) await until(server, token, 200);
      assert.equal(await status(server, `${ofOther}x`), 401);
    }
    const issuer = JSON.parse(Buffer.from(ofOther.split('.')[1]!, 'base64url').toString()).iss;
    await postgres.run(
      `UPDATE token_key SET revoked_at = now() WHERE issuer = '${issuer}';
       NOTIFY gazetteer_token_key`,
      database,
    );
    for (const server of servers) {
      await until(server, ofOther, 401);
      assert.equal(await status(server, ofServer), 200);
    }
    await tokenOf('d');
    assert.equal(await status(servers[0]!, ofOther), 401, 'a revoked key stays revoked');
  });
});
