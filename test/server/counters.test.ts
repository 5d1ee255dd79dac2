/** Counters of threads: what each writes, and what is read of all. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  createCounterMemory,
  DURATION_BOUNDS,
  forgetThread,
  openThreadCounters,
  readCounters,
} from '../../src/server/monitoring/counters.ts';

it('requests of all threads are added up by interaction, status and format', () => {
  const memory = createCounterMemory(3);
  const threads = [0, 1, 2].map((thread) => openThreadCounters(memory, thread));
  for (const thread of threads) {
    thread.countRequest({ status: 200, interaction: 'read', format: 'json' }, 1);
  }
  threads[1]!.countRequest({ status: 404, interaction: 'read', format: 'xml' }, 1);
  threads[2]!.countRequest({ status: 599 });
  threads[2]!.countRequest({ status: 100, interaction: 'unheard of' }, 1);
  assert.deepEqual(readCounters(memory).requests, [
    { interaction: 'read', status: 200, format: 'json', count: 3 },
    { interaction: 'read', status: 404, format: 'xml', count: 1 },
    { interaction: 'other', status: 100, format: 'none', count: 1 },
    { interaction: 'other', status: 599, format: 'none', count: 1 },
  ]);
});

it('a duration is in the first bucket whose bound it does not pass', () => {
  const memory = createCounterMemory(2);
  const bounds = [...DURATION_BOUNDS, Number.POSITIVE_INFINITY];
  bounds.forEach((bound, i) => {
    const durationMs = bound === Number.POSITIVE_INFINITY ? 5000 : bound * 1000;
    const answer = { status: 200, interaction: 'search-type' };
    for (let n = 0; n <= i; n++) openThreadCounters(memory, n % 2).countRequest(answer, durationMs);
  });
  const histogram = readCounters(memory).durations.get('search');
  assert.deepEqual(
    histogram?.buckets,
    bounds.map((_, i) => i + 1),
  );
  assert.ok(histogram.sum > 5 * bounds.length);
});

it('requests are counted by the place of their service', () => {
  const memory = createCounterMemory(2);
  const threads = [0, 1].map((thread) => openThreadCounters(memory, thread));
  for (const place of [0, 2, 2, -1, 99]) threads[0]!.countService(place);
  threads[1]!.countService(2);
  assert.deepEqual(readCounters(memory).services.slice(0, 4), [1, 0, 3, 0]);
});

it('refusals and delays are counted', () => {
  const memory = createCounterMemory(2);
  const [first, second] = [0, 1].map((thread) => openThreadCounters(memory, thread));
  first!.countRefusal('rate');
  second!.countRefusal('rate');
  second!.countRefusal('overload');
  second!.countDelay(3);
  const { refusals, threads } = readCounters(memory);
  assert.deepEqual(
    [...refusals],
    [
      ['connections', 0],
      ['overload', 1],
      ['rate', 2],
      ['bodies', 0],
      ['waits', 0],
    ],
  );
  assert.deepEqual(
    threads.map(({ delay }) => delay.buckets.slice(0, 3)),
    [
      [0, 0, 0],
      [0, 1, 0],
    ],
  );
});

it('a thread that died is forgotten, but not what it counted', () => {
  const memory = createCounterMemory(2);
  const counters = openThreadCounters(memory, 1);
  counters.beat({ isListening: true, edition: 7 });
  counters.countRequest({ status: 200, interaction: 'read', format: 'json' }, 1);
  assert.partialDeepStrictEqual(readCounters(memory).threads[1], { isListening: true, edition: 7 });
  forgetThread(memory, 1);
  assert.partialDeepStrictEqual(readCounters(memory).threads[1], {
    isListening: false,
    edition: 0,
  });
  openThreadCounters(memory, 1).countRequest({ status: 200, interaction: 'read', format: 'json' });
  assert.equal(readCounters(memory).requests[0]?.count, 2);
});
