/** Folding makes texts equal that differ by case, accents or spacing, and no others. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from '../../../src/fhir/search/string.ts';
import { fc } from '../../property.ts';

const cases: readonly [text: string, folded: string][] = [
  ['LEEDS', 'leeds'],
  ['', ''],
  [' a', ' a'],
  ['a ', 'a '],
  ['a  \t\n b', 'a b'],
  ['\u00a0\u2003a', ' a'],
  ['Café', 'cafe'],
  ['Cafe\u0301', 'cafe'],
  ['STRAßE', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['İSTANBUL', 'istanbul'],
  ['ısparta', 'isparta'],
  ['ſt', 'st'],
  ['ﬁne', 'fine'],
  ['\u212a', 'k'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'οδοσ'],
  ['Ångström', 'angstrom'],
  ['\u0301', ''],
  ['\ud800', '\ufffd'],
  ['🏥', '🏥'],
];

for (const [text, folded] of cases) {
  test(`${JSON.stringify(text)} folds to ${JSON.stringify(folded)}`, () => {
    assert.equal(fold(text), folded);
  });
}

test('folding a folded text changes nothing, for every letter', () => {
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const once = fold(String.fromCodePoint(point));
    if (fold(once) !== once) assert.fail(`U+${point.toString(16)}`);
  }
});

test('the folded beginning of a text is the beginning of the folded text', () => {
  const texts = fc.string({ unit: 'grapheme-composite' });
  fc.assert(
    fc.property(texts, texts, (start, rest) => {
      assert.ok(fold(`${start}${rest}`).startsWith(fold(start)));
    }),
  );
});

test('a text is folded letter by letter, apart from its white space', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom(...'aA \t', 'É', 'e\u0301', 'ß', 'ẞ', 'İ', 'ı', 'Σ', 'σ', 'ς', 'ﬁ', '가', '🏥'),
  );
  fc.assert(
    fc.property(fc.array(unit), (letters) => {
      assert.equal(fold(letters.join('')), letters.map(fold).join('').replace(/\s+/g, ' '));
    }),
  );
});

test('NFD gets no marks, which it would sort in quadratic time', (context) => {
  const normalize = context.mock.method(String.prototype, 'normalize');
  assert.equal(fold(`É${'\u0316\u0301'.repeat(10_000)}cole`), 'ecole');
  assert.deepEqual(
    normalize.mock.calls.map((call) => String(call.this)),
    ['École'],
  );
});

test('marks may be removed before NFD, whatever the letter', () => {
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    const isMark = /^\p{M}/u.test(letter);
    const decomposed = letter.normalize('NFD');
    if (isMark && !/^\p{M}+$/u.test(decomposed)) assert.fail(`U+${point.toString(16)}`);
  }
});
