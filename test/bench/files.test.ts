/** The count of the files of a request fails if there are too many, and if there was no count. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { filesProblem } from '../../bench/files/files-problem.ts';

it('a request may pass through as many files as it is allowed', () => {
  assert.equal(filesProblem(40, 40), undefined);
  assert.equal(filesProblem(1, 40), undefined);
});

it('a request through too many files is a problem', () => {
  assert.equal(filesProblem(41, 40), '41 files are more than 40.');
});

it('a request without a measurement is a problem', () => {
  assert.match(filesProblem(0, 40) ?? '', /^nothing was measured/);
});
