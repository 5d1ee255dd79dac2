/** Health: when a new start is needed, and when requests may come. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { it } from 'node:test';
import {
  readinessOf,
  startOperation,
  whyNotLive,
} from '../../src/cli/serve/monitoring/operation.ts';
import { createCounterMemory, openThreadCounters } from '../../src/server/monitoring/counters.ts';
import { listenOnLoopback } from '../loopback.ts';

it('a thread that listens and has been silent for more than ten seconds needs a new start', () => {
  const memory = createCounterMemory(2);
  assert.equal(whyNotLive(memory), undefined);
  for (const thread of [0, 1]) openThreadCounters(memory, thread).beat({ isListening: true });
  assert.equal(whyNotLive(memory), undefined);
  // The first cell of a thread is when it last beat, in seconds.
  new Float64Array(memory)[memory.byteLength / 16]! -= 11;
  assert.equal(whyNotLive(memory), 'thread 1 does not answer');
  openThreadCounters(memory, 1).beat({});
  assert.equal(whyNotLive(memory), undefined);
});

const NOTHING = { isStopping: false, servesDirectory: false };

it('each service is ready by itself: the directory with an edition, order responses with a store', () => {
  const memory = createCounterMemory(2);
  const [first, second] = [0, 1].map((thread) => openThreadCounters(memory, thread));
  const found = (state: Partial<Parameters<typeof readinessOf>[1]> = {}) =>
    Object.fromEntries(
      [
        ...readinessOf(memory, {
          isStopping: false,
          servesDirectory: true,
          orders: { problem: undefined },
          ...state,
        }),
      ].map(([name, { problem }]) => [name, problem]),
    );
  const notListening = 'not listening';
  assert.deepEqual(found(), { directory: notListening, orders: notListening });
  first!.beat({ isListening: true });
  assert.deepEqual(found(), { directory: 'no edition', orders: undefined });
  assert.deepEqual(found({ servesDirectory: false }), { orders: undefined });
  assert.deepEqual(found({ orders: undefined }), { directory: 'no edition' });
  const editionProblem = 'Import its release file again.';
  assert.deepEqual(found({ editionProblem }), { directory: editionProblem, orders: undefined });
  first!.beat({ edition: 3 });
  assert.deepEqual(found(), { directory: undefined, orders: undefined });
  second!.beat({ isListening: true });
  assert.deepEqual(found(), { directory: 'no edition', orders: undefined });
  second!.beat({ edition: 3 });
  const problem = 'no space';
  assert.deepEqual(found({ orders: { problem } }), { directory: undefined, orders: problem });
  const orders = { problem: undefined, note: 'lost writes' };
  assert.equal(readinessOf(memory, { ...NOTHING, orders }).get('orders')?.note, 'lost writes');
  assert.deepEqual(found({ isStopping: true }), { directory: 'stopping', orders: 'stopping' });
});

it('the server starts without health and metrics only if their port is the default', async (context) => {
  const other = createServer();
  const port = await listenOnLoopback(other);
  context.after(() => other.close());
  const server = { config: { 'metrics.host': '127.0.0.1', 'metrics.port': port } };
  const reported: unknown[][] = [];
  const log = { report: (...line: unknown[]) => reported.push(line), info: () => {} };
  await using closing = new AsyncDisposableStack();
  const start = (isDefaultPort: boolean, given: object = server) =>
    startOperation(
      given as never,
      { 'metrics.port': isDefaultPort ? 'default' : '--metrics-port' } as never,
      log as never,
      closing,
    );
  assert.equal(await start(true), undefined);
  assert.equal(reported[0]?.[0], 'GZ104');
  assert.match(JSON.stringify(reported), /is taken by another program.*--metrics-port/);
  await assert.rejects(start(false), { name: 'ServerError', message: /--metrics-port/ });
  const nowhere = { config: { 'metrics.host': '192.0.2.1', 'metrics.port': 9 } };
  await assert.rejects(start(true, nowhere), { name: 'ServerError' });
  assert.equal(reported.length, 1);
});
