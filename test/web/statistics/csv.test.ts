/** Tables as CSV. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csvOf } from '../../../src/web/statistics/csv.ts';

it('quotes what needs it, and takes the power from what looks like a formula', () => {
  assert.equal(
    csvOf(
      ['Town', 'Count'],
      [
        ['A, "B"', 1],
        ['=1+1', -2],
        ['@x\ny', 3],
      ],
    ),
    `Town,Count\r\n"A, ""B""",1\r\n'=1+1,-2\r\n"'@x\ny",3\r\n`,
  );
});
