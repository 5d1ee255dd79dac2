/** What clients have at a time: counted by address, for all threads. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  createClientTotals,
  createClientTotalsMemory,
  forgetClientTotals,
} from '../../src/server/limits/client-totals.ts';

it('counts what an address has in all threads, until it is given back', () => {
  const memory = createClientTotalsMemory(2, 42);
  const threads = [createClientTotals(memory, 0), createClientTotals(memory, 1)] as const;
  const [first, second] = [threads[0].open('192.0.2.1'), threads[1].open('192.0.2.1')];
  const other = threads[0].open('192.0.2.2');
  first.add(1000);
  first.add(500);
  second.add(1);
  other.add(7);
  assert.deepEqual([first.total(), second.total(), other.total()], [1501, 1501, 7]);
  first.close();
  first.close();
  assert.deepEqual([first.total(), second.total(), other.total()], [1, 1, 7]);
  first.add(2);
  assert.equal(second.total(), 3);
  first.close();
  assert.equal(second.total(), 1);
});

it('counts the addresses of a /64 as one', () => {
  const totals = createClientTotals(createClientTotalsMemory(1, 42), 0);
  const shares = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map(totals.open);
  for (const share of shares) share.add(1);
  assert.deepEqual(
    shares.map((share) => share.total()),
    [2, 2, 1],
  );
});

it('forgets what a thread had that has died, and keeps what the others have', () => {
  const memory = createClientTotalsMemory(3, 42);
  const shares = [0, 1, 2].map((thread) => createClientTotals(memory, thread).open('192.0.2.1'));
  for (const [thread, share] of shares.entries()) share.add(10 ** thread);
  assert.equal(shares[0]?.total(), 111);
  forgetClientTotals(memory, 1);
  assert.equal(shares[0]?.total(), 101);
});

it('has a place for every address while there are few, and lets the others through', () => {
  const totals = createClientTotals(createClientTotalsMemory(1, 42), 0);
  const open = (i: number) => totals.open(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  const few = Array.from({ length: 2000 }, (_, i) => open(i));
  for (const share of few) share.add(1);
  assert.ok(few.every((share) => share.total() === 1));
  const many = Array.from({ length: 40_000 }, (_, i) => open(10_000 + i));
  for (const share of many) share.add(1);
  assert.ok(many.some((share) => share.total() === 0));
  for (const share of [...few, ...many]) share.close();
  const again = open(1);
  again.add(1);
  assert.equal(again.total(), 1);
});

it('counts the whole server in all threads, also where addresses find no room', () => {
  const memory = createClientTotalsMemory(2, 42);
  const threads = [createClientTotals(memory, 0), createClientTotals(memory, 1)] as const;
  for (let i = 0; i < 60_000; i++)
    threads[0].open(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`).add(1);
  const shares = threads.map((totals) => totals.open());
  for (const share of shares) share.add(3);
  assert.deepEqual(
    shares.map((share) => share.total()),
    [6, 6],
  );
  forgetClientTotals(memory, 0);
  assert.equal(shares[0]?.total(), 3);
});
