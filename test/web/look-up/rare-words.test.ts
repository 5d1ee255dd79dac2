/** Words of names that differ from a typed word by one mistake. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nearestRareWord } from '../../../src/web/look-up/rare-words.ts';
import { editionOf } from '../../directory/directory-server.ts';
import { organization, role } from '../../directory/records.ts';

const roles = [role('177', { isPrimary: true })];
const EDITION = editionOf([
  organization('A1', { name: 'HEADINGLEY SURGERY', roles }),
  organization('A2', { name: "ST. PETER'S, HUNSLETT", roles }),
  organization('A3', { name: 'HUNSLET SURGERY', roles }),
  organization('A4', { name: 'HUNSLET PHARMACY', roles }),
  organization('A5', { name: 'CAFÉ THÉRÈSE', roles }),
]);

it('finds a word with one wrong, missing, extra or swapped letter, at any place', () => {
  const word = 'headingley';
  for (let place = 0; place < word.length; place++) {
    const [before, letter = '', after] = [word.slice(0, place), word[place], word.slice(place + 1)];
    const typed = [`${before}x${after}`, before + after, `${before}x${letter}${after}`];
    if (after !== '') typed.push(before + after[0] + letter + after.slice(1));
    for (const one of typed) assert.equal(nearestRareWord(EDITION, one), word, one);
  }
});

it('prefers the word of more names, and finds no word with two mistakes', () => {
  assert.equal(nearestRareWord(EDITION, 'hunsleti'), 'hunslet');
  assert.equal(nearestRareWord(EDITION, 'hunxlett'), 'hunslett');
  assert.equal(nearestRareWord(EDITION, 'theresa'), 'therese');
  for (const none of ['hxadinglxy', 'surge', 'x'.repeat(31), 'qqqqqqqq']) {
    assert.equal(nearestRareWord(EDITION, none), undefined, none);
  }
});
