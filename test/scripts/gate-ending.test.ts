/** The last line of the gate says whether a check failed or did not run. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { endingOf } from '../../scripts/gate-ending.ts';
import { type CheckResult, resultOf } from '../../scripts/long-checks.ts';

const PASSED: CheckResult = { title: 'a', outcome: 'passed', reasons: [] };
const PARTLY: CheckResult = { title: 'b', outcome: 'passed', reasons: ['there is no browser'] };
const SKIPPED: CheckResult = { title: 'c', outcome: 'skipped', reasons: ['there is no gcc'] };
const FAILED: CheckResult = { title: 'd', outcome: 'failed', reasons: ['it ended with 1'] };

it('ends with "Complete." only where everything ran and passed', () => {
  assert.deepEqual(endingOf([PASSED], []), ['Complete.']);
});

it('names what did not run, and ends with "Incomplete"', () => {
  assert.deepEqual(endingOf([PASSED, PARTLY, SKIPPED], [{ title: 'e', words: [] }]), [
    'Left out: e: left out by --without',
    'Left out: b: there is no browser',
    'Left out: c: there is no gcc',
    'Incomplete: the lines above say what did not run.',
  ]);
});

it('ends with "Failed" where a check failed, also if another one did not run', () => {
  assert.deepEqual(endingOf([PASSED, FAILED], []), [
    'Failed: d: it ended with 1',
    'Failed: 1 check.',
  ]);
  const both = endingOf([FAILED, SKIPPED, FAILED], []);
  assert.deepEqual([both.length, both.at(-1)], [4, 'Failed: 2 checks.']);
});

it('shows which tests failed, and how', () => {
  const result = resultOf('f', 1, '..X\n✖ reads (a.test.ts:3)\nAssertionError: 1 !== 2\n');
  assert.deepEqual(endingOf([result], []).slice(0, 3), [
    'Failed: f: it ended with 1',
    '  ✖ reads (a.test.ts:3)',
    '  AssertionError: 1 !== 2',
  ]);
  assert.equal(endingOf([resultOf('g', 1, 'Error: no disk')], [])[1], '  Error: no disk');
});
