/** A long step says every ten seconds that it runs. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reportTime } from '../../scripts/report-time.ts';

it('a step prints a line every ten seconds until it ends or fails', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const lines: string[] = [];
  const step = Promise.withResolvers<number>();
  const ended = reportTime(
    'Types',
    () => step.promise,
    (line) => lines.push(line),
  );
  context.mock.timers.tick(25_000);
  assert.deepEqual(lines, ['Types: running for 10 seconds', 'Types: running for 20 seconds']);
  step.resolve(7);
  assert.equal(await ended, 7);
  context.mock.timers.tick(60_000);
  const failing = reportTime(
    'Tests',
    () => Promise.reject(new Error('no')),
    (line) => lines.push(line),
  );
  await assert.rejects(failing, /no/);
  context.mock.timers.tick(60_000);
  assert.equal(lines.length, 2);
});
