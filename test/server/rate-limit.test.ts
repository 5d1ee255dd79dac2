/** Requests per second and address: what passes, and how long others are to wait. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRateLimit, createRateMemory } from '../../src/server/limits/rate-limit.ts';
import { fc } from '../property.ts';

const SECOND = 1_000_000n;

it('a second of requests may come at once, and then one for each share of a second', () => {
  let now = 5n * SECOND;
  const limit = createRateLimit(createRateMemory(), 4, 1, () => now);
  const ask = (times: number) =>
    Array.from({ length: times }, () => limit.secondsToWait('10.0.0.1'));
  assert.deepEqual(ask(6), [0, 0, 0, 0, 1, 1]);
  now += SECOND / 4n;
  assert.deepEqual(ask(2), [0, 1]);
  now += 100n * SECOND;
  assert.deepEqual(ask(5), [0, 0, 0, 0, 1]);
});

it('threads that share the memory count together, and addresses apart', () => {
  const memory = createRateMemory();
  const limits = [1, 2].map(() => createRateLimit(memory, 2, 99, () => 0n));
  assert.equal(limits[0]!.secondsToWait('a'), 0);
  assert.equal(limits[1]!.secondsToWait('a'), 0);
  assert.equal(limits[0]!.secondsToWait('a'), 1);
  assert.equal(limits[1]!.secondsToWait('a'), 1);
  assert.equal(limits[1]!.secondsToWait('b'), 0);
});

it('all addresses of an IPv6 network of 64 bits count as one', () => {
  const cases = [
    ['2001:db8::1', '2001:db8::2', true],
    ['2001:db8::1', '2001:db8:0:0:1:2:3:4', true],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::1', '1::', false],
    ['10.0.0.1', '10.0.0.2', false],
  ] as const;
  for (const [first, second, isSame] of cases) {
    const limit = createRateLimit(createRateMemory(), 1, 7, () => SECOND);
    assert.equal(limit.secondsToWait(first), 0);
    assert.equal(limit.secondsToWait(second) > 0, isSame, `${first} and ${second}`);
  }
});

it('never more than the burst and the rate pass in any time, and waiting as told is enough', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 700_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), steps, (rate, waits) => {
      let now = SECOND;
      const limit = createRateLimit(createRateMemory(), rate, 3, () => now);
      let passed = 0;
      for (const waitUs of waits) {
        now += BigInt(waitUs);
        if (limit.secondsToWait('x') === 0) passed += 1;
      }
      const seconds = Number(now - SECOND) / 1_000_000;
      assert.ok(passed <= rate + seconds * rate * 1.001 + 1);
      let told = 0;
      while (told === 0) told = limit.secondsToWait('x');
      now += BigInt(told) * SECOND;
      assert.equal(limit.secondsToWait('x'), 0);
    }),
    { numRuns: 100 },
  );
});

it('a request may come every second where the limit is one', () => {
  let now = SECOND;
  const limit = createRateLimit(createRateMemory(), 1, 1, () => now);
  for (let second = 0; second < 3; second++) {
    assert.equal(limit.secondsToWait('10.0.0.1'), 0);
    now += SECOND - 1n;
    assert.equal(limit.secondsToWait('10.0.0.1'), 1);
    now += 1n;
  }
});

it('the clock is that of the process, in microseconds', (context) => {
  let nowNs = 1_000_000_000n;
  context.mock.method(process.hrtime, 'bigint', () => nowNs);
  const limit = createRateLimit(createRateMemory(), 1, 1);
  assert.equal(limit.secondsToWait('10.0.0.1'), 0);
  nowNs += 999_999_000n;
  assert.equal(limit.secondsToWait('10.0.0.1'), 1);
  nowNs += 1000n;
  assert.equal(limit.secondsToWait('10.0.0.1'), 0);
});

it('ten thousand addresses have room at a time', () => {
  const limit = createRateLimit(createRateMemory(), 1, 5, () => SECOND);
  const addresses = Array.from({ length: 10_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
  for (const address of addresses) assert.equal(limit.secondsToWait(address), 0);
  for (const address of addresses) assert.equal(limit.secondsToWait(address), 1);
});

it('addresses that find no room are let through, and take that of no other', () => {
  const memory = createRateMemory();
  memory.owners.fill(-1);
  memory.dueUs.fill(2n * SECOND);
  const limit = createRateLimit(memory, 1, 5, () => SECOND);
  for (const _ of ['once', 'twice']) assert.equal(limit.secondsToWait('10.0.0.1'), 0);
  assert.ok(memory.owners.every((owner) => owner === -1));
});
