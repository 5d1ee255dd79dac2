/** What counts as a mark of an XML body, and how many it may have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireFewMarks, UNLIMITED } from '../../../src/fhir/format/limits.ts';

const check = (text: string, marksMax: number) =>
  requireFewMarks(Buffer.from(text), { ...UNLIMITED, marksMax });

test('a body may have as many marks as allowed, and not one more', () => {
  check('<a<b', 2);
  assert.throws(() => check('<a<b<', 2), { code: 'too-long', offset: 4 });
});

test('tags, references, line breaks and tabs are marks, and other characters are not', () => {
  for (const mark of ['<', '>', '&', '\t', '\n', '\r']) {
    assert.throws(() => check(mark, 0), { offset: 0 }, JSON.stringify(mark));
  }
  check("\b\x0e %';=?aé", 0);
});
