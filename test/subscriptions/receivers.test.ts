/** Requests to receivers whose connections stay open. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AllowedHosts } from '../../src/orders/subscriptions/allowed-hosts.ts';
import { createReceivers } from '../../src/orders/subscriptions/receivers.ts';
import { startReceiver } from './delivery-place.ts';

describe('a request over a connection that the receiver resets', () => {
  for (const [name, afterMs, requests] of [
    ['at once is sent again', 0, 3],
    ['later is not sent again, because another server may deliver by then', 2_000, 2],
  ] as const) {
    it(name, async (context) => {
      let nowMs = 1_000;
      context.mock.method(performance, 'now', () => nowMs);
      const { received, url } = await startReceiver(context, (to, _request, count) => {
        if (count !== 2) return void to.end();
        nowMs += afterMs;
        to.socket?.resetAndDestroy();
      });
      const receivers = createReceivers({
        hosts: new AllowedHosts(['127.0.0.1']),
        timeoutMs: 10_000,
        now: Date.now,
      });
      context.after(() => receivers.close());
      assert.equal((await receivers.post(url, {}, '')).kind, 'delivered');
      const { kind } = await receivers.post(url, {}, '');
      assert.equal(kind, afterMs === 0 ? 'delivered' : 'failed');
      assert.equal(received.length, requests);
    });
  }
});
