/** The downloads of the current edition as files for analysis: made once, and removed in time. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { editionArrays } from './edition-arrays.ts';
import { ARRAYS, inMemory, startWithFiles, type TestAnswer } from './edition-file-server.ts';
import { organization, RECORDS } from './records.ts';

const PATHS = {
  sqlite: '/fhir/editions/current.sqlite',
  parquet: '/fhir/editions/current.parquet.zip',
} as const;

/** `deepEqual` would take minutes to describe how files differ. */
function assertSame(answer: TestAnswer, expected: TestAnswer): void {
  assert.equal(answer.status, expected.status);
  assert.ok(answer.bytes.equals(expected.bytes));
}

describe('the files for analysis over HTTP', () => {
  for (const [form, path] of Object.entries(PATHS)) {
    it(`${form} is made once, for all who wait for it`, async (context) => {
      const { folder, logged, bytes } = await startWithFiles(context);
      const both = [bytes(path), bytes(path, { 'accept-encoding': 'identity' })];
      const [first, second] = await Promise.all(both);
      const third = await bytes(`${path}/`);
      const [name = ''] = readdirSync(folder);
      const made = readFileSync(join(folder, name));
      for (const each of [first, second, third]) {
        assert.equal(each?.status, 200);
        assert.deepEqual(each.bytes, made);
      }
      assert.deepEqual(logged, [`made the file of the edition: ${form}`]);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    });

    it(`${form} has validators; HEAD and 304 do not make it`, async (context) => {
      const { server, logged } = await startWithFiles(context);
      const head = await server.get(path, {}, 'HEAD');
      assert.equal(head.status, 200);
      const etag = head.headers.get('etag') ?? '';
      assert.match(etag, new RegExp(`^W/"[0-9a-f]{16}-${form}"$`));
      const date = 'Tue, 01 Sep 2026 10:00:00 GMT';
      assert.equal(head.headers.get('last-modified'), date);
      const types = { sqlite: 'application/vnd.sqlite3', parquet: 'application/zip' };
      assert.equal(head.headers.get('content-type'), types[form as keyof typeof types]);
      for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': date }]) {
        assert.equal((await server.get(path, headers)).status, 304);
      }
      assert.equal((await server.get(path, {}, 'POST')).status, 405);
      assert.deepEqual(logged, []);
    });

    it(`${form} is 404 if the edition has no relationships`, async (context) => {
      const arrays = editionArrays(RECORDS, { hasLinks: false });
      const { server } = await startWithFiles(context, { first: inMemory(1, arrays) });
      for (const method of ['GET', 'HEAD']) {
        assert.equal((await server.get(path, {}, method)).status, 404);
      }
      assert.match((await server.get(path)).text, /does not know the relationships/);
    });
  }

  it('are gzip for clients that take it, unless they are compressed', async (context) => {
    const { server } = await startWithFiles(context);
    const codings = Object.values(PATHS).map(async (path) => {
      const { headers } = await server.get(path, { 'accept-encoding': 'gzip' });
      return headers.get('content-encoding');
    });
    assert.deepEqual(await Promise.all(codings), ['gzip', null]);
  });

  it('are removed when another edition is current, also for a reader in the middle', async (context) => {
    const { server, folder, publish, bytes } = await startWithFiles(context);
    const whole = await bytes(PATHS.sqlite);
    const answer = await fetch(`http://127.0.0.1:${server.port}${PATHS.sqlite}`);
    publish(inMemory(2));
    assert.ok(!existsSync(folder));
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), whole.bytes);
    const next = await bytes(PATHS.sqlite);
    assert.equal(next.status, 200);
    assert.notDeepEqual(next.bytes, whole.bytes);
    assert.deepEqual(readdirSync(folder), ['2.sqlite']);
  });

  it('are made again after a rollback and back', async (context) => {
    const { publish, bytes } = await startWithFiles(context);
    const before = await bytes(PATHS.sqlite);
    publish(inMemory(2));
    publish(inMemory(1));
    assertSame(await bytes(PATHS.sqlite), before);
  });

  it('are made again after somebody removed the folder', async (context) => {
    const { folder, logged, bytes } = await startWithFiles(context);
    const before = await bytes(PATHS.parquet);
    rmSync(folder, { recursive: true });
    const both = await Promise.all([bytes(PATHS.parquet), bytes(PATHS.parquet)]);
    for (const each of both) assertSame(each, before);
    assert.deepEqual(logged, Array(2).fill('made the file of the edition: parquet'));
  });

  it('are made for a client that asks while the thread does not know yet that another edition is current', async (context) => {
    const { folder, send, bytes } = await startWithFiles(context);
    const before = await bytes(PATHS.sqlite);
    send(inMemory(2));
    const next = await bytes(PATHS.sqlite);
    assert.equal(next.status, 200);
    assert.notDeepEqual(next.bytes, before.bytes);
    assert.deepEqual(readdirSync(folder), ['2.sqlite']);
  });

  it('have their names only when they are complete', async (context) => {
    const { folder, bytes } = await startWithFiles(context);
    const path = join(folder, '1.sqlite');
    const answer = bytes(PATHS.sqlite);
    while (!existsSync(path)) await new Promise(setImmediate);
    const first = { status: 200, bytes: readFileSync(path) };
    assertSame(first, await answer);
  });

  it('answer 503 if the disk would have less than 512 MiB left, and log it', async (context) => {
    const sizes = Object.values(ARRAYS).map(({ byteLength }) => byteLength);
    const needed = sizes.reduce((sum, size) => sum + size) + 512 * 1024 ** 2;
    for (const [free, status] of [
      [needed, 200],
      [needed - 1, 503],
    ] as const) {
      const asked: string[] = [];
      const statfs = (path: string) => {
        asked.push(path);
        return { bavail: free, bsize: 1 };
      };
      const { folder, logged, server } = await startWithFiles(context, { statfs });
      const answer = await server.get(PATHS.sqlite);
      assert.equal(answer.status, status);
      assert.deepEqual(asked, [folder]);
      if (status === 200) continue;
      assert.equal(answer.headers.get('retry-after'), '30');
      assert.deepEqual(logged, ['cannot make a file of the edition']);
      assert.deepEqual(readdirSync(folder), []);
    }
  });

  it('answer 503 to who waits when the edition is replaced or the server stops', async (context) => {
    const { server, maker, folder, logged } = await startWithFiles(context);
    for (const end of [() => maker.take(inMemory(2)), () => maker.stop()]) {
      const waiting = Object.values(PATHS).map((path) => server.get(path));
      while (!existsSync(folder)) await new Promise(setImmediate);
      end();
      for (const { status, headers } of await Promise.all(waiting)) {
        assert.equal(status, 503);
        assert.equal(headers.get('retry-after'), '30');
      }
      maker.take(inMemory(1));
    }
    assert.deepEqual(logged, []);
    assert.ok(!existsSync(folder) || readdirSync(folder).length === 0);
  });

  it('answer 503 if they cannot be made, log it, and wait before they try again', async (context) => {
    const { server, folder, logged } = await startWithFiles(context);
    writeFileSync(folder, 'no folder');
    for (let i = 0; i < 2; i++) {
      const { status, text } = await server.get(PATHS.parquet);
      assert.equal(status, 503);
      assert.match(text, /cannot be made now/);
    }
    rmSync(folder);
    assert.equal((await server.get(PATHS.parquet)).status, 503);
    assert.deepEqual(logged, ['cannot make a file of the edition']);
    assert.equal((await server.get(PATHS.sqlite)).status, 200);
  });

  it('answer 503 if the thread that makes them fails', async (context) => {
    const { server, maker, folder, logged } = await startWithFiles(context);
    maker.take(inMemory(2));
    maker.take(inMemory(1, {}));
    assert.equal((await server.get(PATHS.sqlite)).status, 503);
    assert.deepEqual(logged, ['cannot make a file of the edition']);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('are sent to two requests of a client at a time', async (context) => {
    // More than sockets hold.
    const lines = ['X'.repeat(1500)];
    const many = Array.from({ length: 4000 }, (_, i) =>
      organization(`A${10_000 + i}`, { address: { lines } }),
    );
    const { server } = await startWithFiles(context, { first: inMemory(1, editionArrays(many)) });
    const begin = async (): Promise<IncomingMessage> => {
      const { port } = server;
      const request = get({ host: '127.0.0.1', port, path: PATHS.sqlite, agent: false });
      const [answer] = await once(request, 'response');
      return answer;
    };
    const [first, second, third] = [await begin(), await begin(), await begin()];
    assert.deepEqual(
      [first, second, third].map(({ statusCode }) => statusCode),
      [200, 200, 503],
    );
    assert.match(await text(third), /already downloading the files for analysis/);
    for (const each of [first, second]) {
      each.destroy();
      await once(each, 'close');
    }
    let next = await begin();
    while (next.statusCode === 503) next = await begin();
    assert.equal(next.statusCode, 200);
    next.destroy();
  });

  it('are in the OpenAPI description', async (context) => {
    const { server } = await startWithFiles(context);
    const { paths } = JSON.parse((await server.get('/fhir/openapi.json')).text);
    const ids = Object.values(PATHS).map((path) => paths[path.slice(5)].get.operationId);
    assert.deepEqual(ids, ['currentSqlite', 'currentParquet']);
  });
});
