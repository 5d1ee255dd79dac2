/** The server that holds the lease delivers, and never with progress from before it lost the lease. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  DeliveryHolder,
  type DeliveryLease,
  LEASE_MS,
} from '../../src/orders/subscriptions/delivery-holder.ts';
import { until } from './delivery-place.ts';

const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', () => parentPort.close());
  parentPort.postMessage('ready');`;

describe('the holder of the lease', () => {
  it('starts its thread again if the lease may have been held by another server', async (context) => {
    let nowMs = 1_000;
    context.mock.method(process.hrtime, 'bigint', () => BigInt(nowMs) * 1_000_000n);
    context.mock.timers.enable({ apis: ['setInterval'] });
    let starts = 0;
    let renewals = 0;
    let renewMs = 0;
    const lease: DeliveryLease = {
      holder: 'this',
      renew: async () => {
        nowMs += renewMs;
        renewals += 1;
        return true;
      },
      release: async () => undefined,
    };
    const holder = new DeliveryHolder<string, string>(
      {
        lease,
        start: () => {
          starts += 1;
          return new Worker(PROGRAM, { eval: true });
        },
        onMessage: () => 'ready',
        onReady: () => undefined,
        onDeath: () => undefined,
      },
      'stop',
    );
    context.after(() => holder.stop());
    await until(() => starts === 1);
    context.mock.timers.tick(1_500);
    await until(() => renewals === 2);
    renewMs = LEASE_MS;
    context.mock.timers.tick(1_500);
    await until(() => renewals === 3);
    renewMs = 0;
    context.mock.timers.tick(1_500);
    await until(() => renewals === 4);
    assert.equal(starts, 2);
  });
});
