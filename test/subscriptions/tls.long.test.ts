/** A running server whose receiver has a certificate of its own authority. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeAuthorities, withoutOpenssl } from '../certificates.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { type Server, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { EXAMPLE_XML, JSON_TYPE, XML_TYPE } from '../order-response/order-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startReceiver, until } from './delivery-place.ts';
import { CHANNEL, SUBSCRIPTION_EXAMPLE } from './example.ts';

const SCOPES = ['--scope', 'system/OrderResponse.*', '--scope', 'system/Subscription.*'];
const HOSTS = ['--subscriptions-allowed-hosts', 'localhost,127.0.0.1'];

it('the setting caFile lets a receiver get what it missed, but none under another name', {
  skip: withoutOpenssl(),
}, async (context) => {
  const folder = temporaryFolder(context);
  const { tls, caFile } = makeAuthorities(folder);
  const { received, port } = await startReceiver(context, undefined, tls);
  const token = await tokenFor(folder, ...SCOPES);
  const data = ['--data', folder, '--directory-enabled', 'false', ...HOSTS];
  const post = async ({ origin }: Server, type: string, contentType: string, body: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
    const answer = await fetch(`${origin}/${type}`, { method: 'POST', headers, body });
    assert.equal(answer.status, 201, await answer.text());
    return answer.headers.get('location')?.split('/').at(-3) ?? '';
  };
  const subscribe = (server: Server, host: string) => {
    const channel = { ...CHANNEL, endpoint: `https://${host}:${port}/` };
    const resource = { ...SUBSCRIPTION_EXAMPLE, criteria: 'OrderResponse', channel };
    return post(server, 'Subscription', JSON_TYPE, JSON.stringify(resource));
  };
  const problemOf = async (id: string): Promise<string | undefined> => {
    const { stdout } = await runInProcess(['subscriptions', 'list', '--data', folder]);
    const rows = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return rows.find((row) => row.id === id)?.problem;
  };
  const testOf = async (id: string, ...words: string[]) => {
    const sent = ['subscriptions', 'test', id, '--data', folder, ...HOSTS, ...words];
    const { stdout, stderr } = await runInProcess(sent);
    return stdout + stderr;
  };

  const before = await serve(context, data);
  const id = await subscribe(before, 'localhost');
  const other = await subscribe(before, '127.0.0.1');
  await until(async () => (await testOf(id)).includes('UNABLE_TO_VERIFY'));
  const order = await post(before, 'OrderResponse', XML_TYPE, EXAMPLE_XML);
  await until(async () => /UNABLE_TO_VERIFY/.test((await problemOf(id)) ?? ''));
  assert.equal(await before.stop(), 0);
  assert.equal(received.length, 0);

  const after = await serve(context, [...data, '--subscriptions-ca-file', caFile]);
  await until(() => received.length > 0);
  assert.equal(received[0]?.id, order);
  await until(async () => /ERR_TLS_CERT_ALTNAME/.test((await problemOf(other)) ?? ''));
  await until(async () => (await problemOf(id)) === '');
  assert.match(await testOf(id, '--subscriptions-ca-file', caFile), /accepts notifications/);
  assert.match(await testOf(other, '--subscriptions-ca-file', caFile), /ERR_TLS_CERT_ALTNAME/);
  assert.equal(received.length, 2, 'the order response and the test');
  assert.equal(await after.stop(), 0);
});
