/** `gazetteer subscriptions`, beside a server that delivers. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { acquireLock } from '../../src/storage/files/lock.ts';
import { operatingSystemUser } from '../../src/storage/repository/access-record.ts';
import { createFileStore } from '../../src/storage/sqlite/file-store.ts';
import { runInProcess, runOnTerminal } from '../cli/run-in-process.ts';
import { serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { unpack } from '../older-data/unpack.ts';
import { JSON_TYPE } from '../order-response/order-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startReceiver, until } from './delivery-place.ts';
import { CHANNEL, SUBSCRIPTION_EXAMPLE } from './example.ts';

it('commands list, test and end a subscription while a server runs', async (context) => {
  const folder = temporaryFolder(context);
  const data = ['--data', folder];
  const hosts = ['--subscriptions-allowed-hosts', '127.0.0.1'];
  const scopes = ['--scope', 'system/OrderResponse.*', '--scope', 'system/Subscription.*'];
  const token = await tokenFor(folder, ...scopes);
  let status = 200;
  const { received, url } = await startReceiver(context, (to) => to.writeHead(status).end());
  const server = await serve(context, [...data, ...hosts, '--directory-enabled', 'false']);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': JSON_TYPE,
    accept: JSON_TYPE,
  };
  const channel = { ...CHANNEL, endpoint: url };
  const body = JSON.stringify({ ...SUBSCRIPTION_EXAMPLE, channel });
  const created = await fetch(`${server.origin}/Subscription`, { method: 'POST', headers, body });
  const id = /Subscription\/([^/]+)/.exec(created.headers.get('location') ?? '')?.[1] ?? '';
  const list = async () => {
    const { code, stdout, stderr } = await runInProcess(['subscriptions', 'list', ...data]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  await until(async () => (await list()).status === 'active');
  const { criteria } = SUBSCRIPTION_EXAMPLE;
  const row = { id, criteria, endpoint: url, problem: '', failingSince: null };
  assert.deepEqual(await list(), { ...row, status: 'active' });

  const name = `Subscription/${id}`;
  const tested = await runInProcess(['subscriptions', 'test', name, ...data, ...hosts]);
  assert.deepEqual([tested.code, tested.stdout], [0, `${url} accepts notifications.\n`]);
  assert.equal(received[0]?.headers['gazetteer-resource'], `Subscription/${id}`);
  assert.equal(received[0]?.headers.authorization, 'Bearer 1234');
  const refused = await runInProcess(['subscriptions', 'test', id, ...data]);
  assert.match(refused.stderr, /add 127.0.0.1:\d+ to subscriptions.allowedHosts/);
  assert.match(refused.stderr, /Give this command the settings of the server/);
  status = 500;
  const failed = await runInProcess(['subscriptions', 'test', id, ...data, ...hosts]);
  const { origin } = new URL(url);
  assert.ok(failed.stderr.includes(`${origin} did not accept the notification.`), failed.stderr);
  assert.match(failed.stderr, /answered 500\. Look for the cause at the receiver/);

  const off = await runInProcess(['subscriptions', 'off', name, ...data]);
  assert.deepEqual([off.code, off.stdout], [0, `${name} is off.\n`]);
  const again = await runInProcess(['subscriptions', 'off', id, ...data]);
  assert.deepEqual([again.code, again.stdout], [0, `${name} is off already.\n`]);
  const ended = await list();
  assert.equal(ended.status, 'off');
  assert.equal(ended.problem, 'An operator has turned the subscription off.');
  const table = await runOnTerminal(['subscriptions', 'list', ...data]);
  assert.match(table.stdout, /An operator has turned/);
  const audited = await runInProcess(['audit', '--user', 'gazetteer subscriptions off', ...data]);
  const events = audited.stdout.trim().split('\n');
  assert.equal(events.length, 1, audited.stdout + audited.stderr);
  assert.ok(audited.stdout.includes(JSON.stringify(operatingSystemUser())), audited.stdout);
  await fetch(`${server.origin}/Subscription/${id}`, { method: 'DELETE', headers });
  const empty = await runInProcess(['subscriptions', 'list', ...data]);
  assert.deepEqual([empty.code, empty.stdout], [0, '']);
  const unknown = await runInProcess(['subscriptions', 'off', 'other', ...data]);
  assert.match(unknown.stderr, /There is no subscription other/);
  assert.equal(await server.stop(), 0);
  const verified = await runInProcess(['verify', ...data]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  assert.match(verified.stdout, /^orders\.db: sound, 0 order responses and 1 subscriptions, /m);
});

it('commands do not migrate the data of a server that runs', async (context) => {
  const { data } = unpack(context, 'schema-6');
  const lock = acquireLock(data, 'serve');
  context.after(() => lock.release());
  const schema = () => {
    const database = new DatabaseSync(join(data, 'orders.db'), { readOnly: true });
    const version = database.prepare('PRAGMA user_version').get()?.user_version;
    database.close();
    return version;
  };
  const listed = await runInProcess(['subscriptions', 'list', '--data', data]);
  assert.deepEqual([listed.code, listed.stdout], [0, ''], listed.stderr);
  const ignored = { onFault: () => undefined, onRestart: () => undefined };
  await assert.rejects(createFileStore(data).startOrders(ignored), /whose server still runs/);
  assert.equal(schema(), 6);
});
