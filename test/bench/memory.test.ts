/** The benchmark divides the memory of a server into a fixed part and a part for each record. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memoryLine } from '../../bench/growth/memory.ts';

it('the memory of two sizes has a fixed part and a part for each record', () => {
  const line = memoryLine({ records: 1024, megabytes: 202 }, { records: 10_240, megabytes: 220 });
  assert.deepEqual(line, { fixedMb: 200, recordKb: 2 });
});
