/** Profiles count only the time of the load, and name the parts of the program. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Profile, partOf, samplesIn, sharesOf } from '../../bench/cpu-profile.ts';

const frame = (functionName: string, url = '') => ({ functionName, url });

const PROFILE: Profile = {
  nodes: [
    { id: 1, callFrame: frame('(idle)') },
    { id: 2, callFrame: frame('start', 'file:///gazetteer/src/cli/serve/start.ts') },
    { id: 3, callFrame: frame('search', 'file:///gazetteer/src/directory/index/search.ts') },
    { id: 4, callFrame: frame('(garbage collector)') },
    { id: 5, callFrame: frame('stop', 'file:///gazetteer/src/server/stop.ts') },
  ],
  // At 110, 120, 140, 180, 190 and 300 microseconds.
  samples: [2, 3, 1, 3, 4, 5],
  timeDeltas: [10, 10, 20, 40, 10, 110],
  startTime: 100,
};

it('the time before the load and after its end does not count, and idle time neither', () => {
  const samples = samplesIn(PROFILE, { start: 115, end: 200 });
  assert.deepEqual(
    samples.map(({ frame: { functionName }, microseconds }) => [functionName, microseconds]),
    [
      ['search', 10],
      ['search', 40],
      ['(garbage collector)', 10],
    ],
  );
  assert.deepEqual(sharesOf(samples, partOf), [
    ['src/directory/index', 50 / 60],
    ['garbage collection', 10 / 60],
  ]);
});
