/** Lines of CSV. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvLine } from '../../src/interfaces/answer/csv-line.ts';

describe('a cell of CSV', () => {
  const cases: readonly (readonly [cell: string | number, written: string])[] = [
    ['', ''],
    ['LEEDS', 'LEEDS'],
    ["ST. JAMES'S - EAST", "ST. JAMES'S - EAST"],
    ['A, "B"', '"A, ""B"""'],
    ['a;b', '"a;b"'],
    ['x\ny', '"x\ny"'],
    [' x', '" x"'],
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    [' =1+1', `"' =1+1"`],
    ['\t\u00a0=1+1', `"'\t\u00a0=1+1"`],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['＝HYPERLINK("x")', `"'＝HYPERLINK(""x"")"`],
    ['＋1', `"'＋1"`],
    ['－1', `"'－1"`],
    ['＠SUM(A1)', `"'＠SUM(A1)"`],
    ['1-1', '1-1'],
    [1234, '1234'],
    [-2, '-2'],
  ];
  for (const [cell, written] of cases) {
    it(`${JSON.stringify(cell)} is written as ${JSON.stringify(written)}`, () =>
      assert.equal(csvLine([cell]), `${written}\r\n`));
  }

  it('stands between commas', () => assert.equal(csvLine(['a', 1, 'b']), 'a,1,b\r\n'));
});
