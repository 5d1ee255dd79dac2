/** What counts as a mark of an XML body, and how many it may have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demandFewMarks, UNLIMITED } from '../../../src/fhir/format/limits.ts';

const demand = (text: string, marksMax: number) =>
  demandFewMarks(Buffer.from(text), { ...UNLIMITED, marksMax });

test('a body may have as many marks as allowed, and not one more', () => {
  demand('<a<b', 2);
  assert.throws(() => demand('<a<b<', 2), { code: 'too-long', offset: 4 });
});

test('tags, references, line breaks and tabs are marks, and other characters are not', () => {
  for (const mark of ['<', '>', '&', '\t', '\n', '\r']) {
    assert.throws(() => demand(mark, 0), { offset: 0 }, JSON.stringify(mark));
  }
  demand("\b\x0e %';=?aé", 0);
});
