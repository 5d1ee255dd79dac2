/** The repository in a server thread, when the storage thread does not answer. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { fhirErrorOf } from '../../src/fhir/service/failure.ts';
import { RepositoryError } from '../../src/fhir/stored/repository-error.ts';
import {
  MOVED,
  OUTCOME_UNKNOWN,
  STARTING,
  UNAVAILABLE,
  UNKNOWN,
} from '../../src/storage/files/unavailable.ts';
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

it('without a connection, each call fails with the reason of the server', async (t) => {
  const store = createRepositoryClient({ unavailable: UNAVAILABLE.full });
  t.after(() => store.close());
  const reading = { type: TYPE, count: 1, lengthMax: 1 };
  const calls: Readonly<Record<string, Promise<unknown>>> = {
    create: createOrder(store, 'a'),
    read: store.read({ type: TYPE, id: 'a' }, ACCESS),
    search: store.search(
      { ...reading, criteria: [], sort: [], candidatesMax: 1, keepMs: 1, parameters: '' },
      ACCESS,
    ),
    changes: store.changes({ types: [TYPE], ...reading, order: 'oldest-first' }, ACCESS),
    notifications: store.notifications(
      { types: [TYPE], ...reading, order: 'oldest-first' },
      ACCESS,
    ),
    readDeliveries: store.readDeliveries(),
    currentSubscriptions: store.currentSubscriptions(),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assert.rejects(call, { name: 'RepositoryError', message: UNAVAILABLE.full }, name);
  }
});

it('the answer to a read says nothing of what was stored', () => {
  const texts = new Set([...Object.values(UNAVAILABLE), UNKNOWN, OUTCOME_UNKNOWN, MOVED, STARTING]);
  for (const text of texts) {
    const textFor = (method: string, path: string) => {
      const request = { method, path, query: '', headers: {}, id: '1' };
      const { issues } = fhirErrorOf(new RepositoryError(text), { request, onFault: () => {} });
      return issues[0].diagnostics;
    };
    assert.equal(textFor('POST', '/OrderResponse'), text);
    assert.match(text, /Nothing was stored\.|This request may or may not be stored\./);
    for (const [method, path] of [
      ['GET', '/OrderResponse'],
      ['HEAD', '/OrderResponse/1'],
      ['POST', '/OrderResponse/_search'],
    ] as const) {
      const read = textFor(method, path);
      assert.doesNotMatch(read, /Nothing was|may or may not/);
      assert.match(
        read,
        /^The(?:re)? .*\. Try again|^Order responses .*\. Try again|^Another .*\. Try again/,
      );
      assert.equal(read.split('. ')[0], text.split('. ')[0]);
    }
  }
});
