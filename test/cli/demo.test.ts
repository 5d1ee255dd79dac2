/** The demo asks its own server for what it shows. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { answerWhenReady, unusedSettings } from '../../src/cli/commands/demo.ts';

const { signal } = new AbortController();

it('a server that is not ready is asked again until it answers', async () => {
  const statuses = [503, 503, 200, 500];
  const ask = async () => new Response('text', { status: statuses.shift() ?? 500 });
  assert.equal((await answerWhenReady(ask, signal, 0)).status, 200);
  assert.deepEqual(statuses, [500]);
});

it('settings that the demo does not use are named', () => {
  const origins = {
    port: 'gazetteer.json',
    host: '--host',
    'metrics.port': 'gazetteer.json',
    'orders.allowDelete': 'GAZETTEER_ORDERS_ALLOW_DELETE',
    threads: 'default',
  };
  assert.deepEqual(unusedSettings({ origins }), ['metrics.port', 'orders.allowDelete']);
});

it('a server that never gets ready is shown as it is', async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return new Response('overloaded', { status: 503 });
  };
  assert.equal(await (await answerWhenReady(ask, signal, 0)).text(), 'overloaded');
  assert.equal(asked, 60);
});
