/** The history of calls finds what a broken store does: each break is tried on a store in memory. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Break, BrokenStore } from './broken-store.ts';
import { OrderHistory } from './order-history.ts';

const CALLS = 2000;

const EXPECTED: Readonly<Record<Break, RegExp | undefined>> = {
  none: undefined,
  'lose a write': /is lost/,
  'store a write twice': /stored twice/,
  'store a refused write': /told that it is not/,
  'read an old version': /saw version \d+ after \d+ had been seen/,
  'leave a gap': /lacks a version/,
  'replace another version': /instead of/,
  'create two with one identifier': /2 resources have the identifier/,
  'find nothing': /finds ""/,
};

describe('the history of calls', () => {
  for (const [broken, expected] of Object.entries(EXPECTED) as [Break, RegExp | undefined][]) {
    it(`with a store that does this wrong: ${broken}`, async () => {
      const store = new BrokenStore(broken);
      const { client } = store;
      const history = new OrderHistory();
      await history.createShared(client, 4);
      // Two clients: what one of them saw last may be old.
      const seen = [new Map<string, number>(), new Map<string, number>()] as const;
      while (history.calls < CALLS) {
        await history.call(client, seen[history.calls % 2 === 0 ? 0 : 1]);
      }
      const faults = history.faults(store.stored());
      if (expected === undefined) assert.deepEqual(faults, []);
      else assert.match(faults.join('\n'), expected);
    });
  }
});
