/** How long a page of changes waits for transactions that began before the newest version. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SettledChanges } from '../../../src/storage/postgres/orders/settled-changes.ts';

/** A connection that answers in turn which transaction is the oldest, and counts the questions. */
function connectionTo(newest: number | undefined, oldest: readonly number[]) {
  const looks: number[] = [];
  return {
    looks,
    queryPrepared: async (text: string) => {
      if (!text.includes('pg_snapshot_xmin')) return newest === undefined ? [] : [{ xid: newest }];
      const now = oldest[Math.min(looks.length, oldest.length - 1)]!;
      looks.push(now);
      return [{ oldest: String(now), is_settled: newest! < now }];
    },
  };
}

it('waits until all transactions have ended that began before the newest version', async () => {
  const connection = connectionTo(7, [5, 6, 6, 8, 9]);
  await new SettledChanges({ waitMaxMs: 60_000 }).wait(connection);
  assert.deepEqual(connection.looks, [5, 6, 6, 8]);
});

it('does not wait without a version', async () => {
  const connection = connectionTo(undefined, [1]);
  await new SettledChanges().wait(connection);
  assert.deepEqual(connection.looks, []);
});

it('waits only once for a transaction that does not end, but for the next one again', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => ++nowMs);
  const settled = new SettledChanges({ waitMaxMs: 3 });
  const first = connectionTo(7, [5]);
  await settled.wait(first);
  assert.deepEqual(first.looks, [5, 5, 5]);
  const again = connectionTo(9, [5]);
  await settled.wait(again);
  assert.deepEqual(again.looks, [5]);
  const next = connectionTo(9, [6, 6, 10]);
  await settled.wait(next);
  assert.deepEqual(next.looks, [6, 6, 10]);
});
