/** The known word that a misspelt one means. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { areAlike, createVocabulary } from '../../../src/directory/ask/vocabulary.ts';

const vocabulary = createVocabulary();
for (const [word, count] of Object.entries({
  hospital: 900,
  hospitals: 20,
  hospice: 50,
  castle: 30,
  cattle: 3,
  oak: 40,
  orthodontics: 10,
})) {
  vocabulary.add(word, count);
}

const CASES: readonly (readonly [written: string, nearest: string | undefined])[] = [
  ['hospitl', 'hospital'],
  ['hosptial', 'hospital'],
  ['hospitaal', 'hospital'],
  ['orthadontixs', 'orthodontics'],
  // The most frequent of equally similar words.
  ['caxtle', 'castle'],
  ['hospital', undefined],
  ['xospital', undefined],
  ['cxxtle', undefined],
  ['oka', undefined],
  ['h0spital', undefined],
  ['', undefined],
];

for (const [written, nearest] of CASES) {
  it(`"${written}" means ${nearest ?? 'no other word'}`, () => {
    assert.equal(vocabulary.nearest(written), nearest);
  });
}

it('counts a word each time', () => {
  vocabulary.add('oak', 2);
  assert.equal(vocabulary.countOf('oak'), 42);
  assert.equal(vocabulary.countOf('elm'), 0);
});

it('words are alike if few letters differ, and one is not much shorter', () => {
  assert.ok(areAlike('castle', 'caslte'));
  assert.ok(!areAlike('castle', 'caste lane'));
  assert.ok(!areAlike('oak', 'oek'));
  assert.ok(!areAlike('unit1', 'unit2'));
});
