/** The search for dear inputs fails where a request takes longer than its aim, and only there. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AIMS } from '../../bench/aims.ts';
import type { WorstFigures } from '../../bench/worst/measure.ts';
import { ROOT } from '../tidy/source-files.ts';

const most = AIMS.find(({ name }) => name === 'worst')?.most ?? Number.NaN;

const cases: readonly (readonly [string, Partial<WorstFigures>, status: number])[] = [
  ['a request at the aim', { milliseconds: most }, 0],
  ['a request above the aim', { milliseconds: most + 0.1 }, 0],
  ['a request above twice the aim', { milliseconds: 2 * most + 0.1 }, 1],
  [
    'a request at the limit of a machine that is 2.5 times slower than usual',
    { milliseconds: 5 * most, slowness: 2.5 },
    0,
  ],
  ['a request above the limit of that machine', { milliseconds: 5 * most + 0.1, slowness: 2.5 }, 1],
  ['a line of an import above twice the aim', { milliseconds: 3 * most, isRequest: false }, 0],
];

describe('the search for dear inputs', () => {
  for (const [name, figures, status] of cases) {
    test(`ends with ${status} for ${name}`, () => {
      const one = {
        name: 'a',
        isRequest: true,
        kilobytes: 1,
        shapes: 1,
        shape: 'a',
        milliseconds: 1,
        slowness: 1,
        ...figures,
      };
      const cheap = { ...one, milliseconds: 1 };
      const run = JSON.stringify(join(ROOT, 'bench/worst/run.ts'));
      const script = `import { judgeWorst } from ${run};
        console.log(judgeWorst(${JSON.stringify([one, cheap])}).rows[0].join());`;
      const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
        encoding: 'utf8',
      });
      assert.equal(child.status, status, child.stderr);
      const isMissed = one.isRequest && one.milliseconds > most;
      assert.equal(child.stdout.includes('(missed)'), isMissed);
    });
  }
});
