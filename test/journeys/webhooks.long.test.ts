/** Editions are announced by a server that serves only the directory. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { withConnection } from '../../src/storage/postgres/connection/connection.ts';
import { parseDatabaseUrl } from '../../src/storage/postgres/connection/database-url.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { type Answer, startReceiver, until } from '../subscriptions/delivery-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type LogLine, serve } from './program.ts';

/** Imports a release that differs from that of another revision. */
async function importRelease(revision: number, data: string, ...words: string[]): Promise<void> {
  const file = join(data, 'release.xml');
  writeFileSync(
    file,
    [...generateRelease({ ...releaseDefaults, records: 400, revision })].join(''),
  );
  const all = ['import', file, '--data', data, '--quiet', ...words];
  const { code, stderr } = await runInProcess(all);
  assert.equal(code, 0, stderr);
}

it('editions are announced also after a kill, with links that work', async (context) => {
  const data = temporaryFolder(context);
  await importRelease(0, data);
  let answer: Answer = (to) => to.writeHead(500).end();
  const { received, url } = await startReceiver(context, (...all) => answer(...all));
  const bodyOfLast = () => JSON.parse(received.at(-1)?.body ?? '');
  const words = [
    '--data',
    data,
    '--orders-enabled',
    'false',
    '--subscriptions-webhooks',
    url,
    '--subscriptions-allowed-hosts',
    '127.0.0.1',
  ];
  const first = await serve(context, words);
  await until(() => existsSync(join(data, 'webhooks.json')));
  await importRelease(1, data);
  await until(() => received.length > 0);
  const metrics = await (await fetch(`${first.operation}/metrics`)).text();
  assert.match(metrics, /\ngazetteer_webhook_notifications_total\{outcome="delivered"\} 0\n/);
  const { receiver, problem } = await first.logged(/cannot announce/);
  assert.deepEqual([receiver, problem], [new URL(url).origin, 'The receiver answered 500.']);
  await first.stop('SIGKILL');

  answer = (to) => to.end();
  const second = await serve(context, words);
  await second.logged(/^announced the edition$/);
  assert.equal(new Set(received.map(({ headers }) => headers['gazetteer-delivery'])).size, 1);
  const { links, edition: number, comparedTo, previous: before, ...facts } = bodyOfLast();
  assert.deepEqual([number, comparedTo, before], [2, 1, 1]);
  const listed = await runInProcess(['editions', '--json', '--data', data]);
  const { publicationDate, publishedAt, records, added, changed, removed } = JSON.parse(
    listed.stdout,
  ).at(-1);
  assert.deepEqual(facts, { publicationDate, publishedAt, records, added, changed, removed });
  assert.ok(changed > 0);
  assert.deepEqual(links, {
    edition: `http://localhost:${second.port}/editions/2`,
    changes: `http://localhost:${second.port}/editions/2/changes.csv`,
  });
  for (const link of Object.values<string>(links)) {
    const { status, body } = await fetch(link.replace('localhost', '127.0.0.1'));
    assert.equal(status, 200, link);
    await body?.cancel();
  }

  const count = received.length;
  assert.equal((await runInProcess(['rollback', '--data', data])).code, 0);
  await until(() => received.length > count);
  const { edition, previous } = bodyOfLast();
  assert.deepEqual([edition, previous], [3, 2]);
  assert.equal(await second.stop(), 0);

  const refused = await runInProcess(['serve', ...words.slice(0, -2)]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /127\.0\.0\.1:\d+ to subscriptions\.allowedHosts/);
});

describePostgres('the servers of a database', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it('announce each edition once, from the first one on', async (context) => {
    const databaseUrl = postgres.url(await postgres.createDatabase());
    const database = ['--database-url', databaseUrl];
    const folders = [1, 2, 3].map(() => temporaryFolder(context));
    const { received, url } = await startReceiver(context);
    const startServer = (data: string) =>
      serve(context, [
        '--data',
        data,
        ...database,
        '--orders-enabled',
        'false',
        '--subscriptions-webhooks',
        url,
        '--subscriptions-allowed-hosts',
        '127.0.0.1',
      ]);
    const [importer = '', ...machines] = folders;
    await runInProcess(['database', 'migrate', ...database]);
    const [one, two] = await Promise.all(machines.map(startServer));
    const countStates = () =>
      withConnection(parseDatabaseUrl(databaseUrl), { name: 'test' }, async (connection) => {
        const rows = await connection.query('SELECT receiver FROM webhook_state');
        return rows.length;
      });
    await until(async () => (await countStates()) > 0);
    const served = (number: number) => (line: LogLine) =>
      line.msg === 'serving edition' && line.edition === number;
    // A server that is killed just after an answer lets the other one repeat the delivery.
    const announced = () => [
      ...new Map(
        received.map(({ headers, body }) => [
          headers['gazetteer-delivery'],
          JSON.parse(body).edition,
        ]),
      ).values(),
    ];
    for (const number of [1, 2, 3]) {
      await importRelease(number, importer, ...database);
      await until(() => announced().length >= number);
      await until(() => one!.log.some(served(number)) && two!.log.some(served(number)));
    }
    assert.equal(received.length, 3);
    await one!.stop('SIGKILL');
    await importRelease(4, importer, ...database);
    await until(() => announced().length >= 4);
    assert.deepEqual(announced(), [1, 2, 3, 4]);
  });
});
