/** The repository in a server thread, when the storage thread does not answer. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { RepositoryError } from '../../src/fhir/stored/repository.ts';
import { createRepositoryClient } from '../../src/storage/threads/repository-client.ts';
import { createRepositoryCounters } from '../../src/storage/threads/serve-ports.ts';
import { ACCESS, createOrder, TYPE } from './repository.contract.ts';

it('each call fails when its time is over, and a late answer does no harm', async (t) => {
  const { port1, port2 } = new MessageChannel();
  const store = createRepositoryClient({
    port: port1,
    reader: { script: 'file:///nowhere', data: undefined },
    counters: createRepositoryCounters(),
    answerMs: 9_500,
  });
  t.after(() => {
    store.close();
    port2.close();
  });
  const reading = { type: TYPE, count: 1, lengthMax: 1 };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const calls = [
    createOrder(store, 'a'),
    store.read({ type: TYPE, id: 'a' }, ACCESS),
    store.search(
      { ...reading, criteria: [], sort: [], candidatesMax: 1, keepMs: 1, parameters: '' },
      ACCESS,
    ),
    store.changes({ types: [TYPE], ...reading, order: 'oldest-first' }, ACCESS),
  ];
  t.mock.timers.tick(9_500);
  const messages = (await Promise.allSettled(calls)).map((each) => {
    assert.ok(each.status === 'rejected' && each.reason instanceof RepositoryError);
    return each.reason.message;
  });
  assert.match(String(messages[0]), /may or may not be stored\. Check before you try again/);
  for (const message of messages.slice(1)) {
    assert.match(message, /cannot be reached now\. Nothing was stored/);
  }
  port2.postMessage({ numbers: [0], results: [{ kind: 'unavailable', message: 'late' }] });
});
