/** Values as people read them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  formatCount,
  formatDate,
  formatInstant,
  formatShare,
  sentenceCase,
  titleCase,
} from '../../src/web/parts/display.ts';

describe('values are shown', () => {
  const cases: readonly (readonly [shown: string, expected: string])[] = [
    [sentenceCase('NHS TRUST SITE'), 'NHS trust site'],
    [sentenceCase('GP PRACTICE'), 'GP practice'],
    [sentenceCase("SECURE CHILDREN'S HOME"), "Secure children's home"],
    [sentenceCase('WELSH LOCAL HEALTH BOARD'), 'Welsh local health board'],
    [sentenceCase('NON-NHS ORGANISATION'), 'Non-NHS organisation'],
    [sentenceCase('INDEPENDENT SECTOR H/C PROVIDER SITE'), 'Independent sector H/C provider site'],
    [sentenceCase('ISLE OF MAN GOVERNMENT DEPARTMENT'), 'Isle of Man government department'],
    [sentenceCase('Own spelling, NHS'), 'Own spelling, NHS'],
    [titleCase("king's lynn"), "King's Lynn"],
    [titleCase('st. ives'), 'St. Ives'],
    [titleCase('newcastle upon tyne'), 'Newcastle upon Tyne'],
    [formatDate('2026-09-01'), '1 September 2026'],
    [formatDate('2026-09'), 'September 2026'],
    [formatDate('2026-09-01T23:30:00-05:00'), '1 September 2026'],
    [formatDate('2026'), '2026'],
    [formatDate('soon'), 'soon'],
    [formatInstant('2026-09-01T10:05:00.000Z'), '1 September 2026, 10:05 UTC'],
    [formatCount(1, 'organisation'), '1 organisation'],
    [formatCount(306_201, 'organisation'), '306,201 organisations'],
    [formatShare(1, 3), '33.3%'],
    [formatShare(0, 0), '–'],
  ];
  for (const [shown, expected] of cases) {
    it(`as ${expected}`, () => assert.equal(shown, expected));
  }
});
