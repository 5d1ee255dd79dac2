/** Health: when a new start is needed, and when requests may come. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { whyNotLive, whyNotReady } from '../../src/cli/operation.ts';
import { createCounterMemory, openThreadCounters } from '../../src/server/counters.ts';

const READY = { isStopping: false, needsEdition: true, lacksStore: false };

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

it('it is ready when threads listen, all of them with an edition, and it does not stop', () => {
  const memory = createCounterMemory(2);
  const [first, second] = [0, 1].map((thread) => openThreadCounters(memory, thread));
  assert.equal(whyNotReady(memory, READY), 'not listening');
  first!.beat({ isListening: true });
  assert.equal(whyNotReady(memory, READY), 'no edition');
  assert.equal(
    whyNotReady(memory, { ...READY, needsEdition: false }),
    undefined,
    'the directory is not served',
  );
  first!.beat({ edition: 3 });
  assert.equal(whyNotReady(memory, READY), undefined);
  second!.beat({ isListening: true });
  assert.equal(whyNotReady(memory, READY), 'no edition');
  second!.beat({ edition: 3 });
  assert.equal(whyNotReady(memory, READY), undefined);
  assert.equal(whyNotReady(memory, { ...READY, isStopping: true }), 'stopping');
  assert.match(whyNotReady(memory, { ...READY, lacksStore: true }) ?? '', /order responses/);
});
