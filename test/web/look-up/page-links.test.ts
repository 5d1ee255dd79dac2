/** The numbers under the results. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageLinks } from '../../../src/web/look-up/page-links.ts';

describe('the links to other pages', () => {
  const cases: readonly (readonly [page: number, pages: number, shown: string])[] = [
    [1, 2, '[1] 2 >'],
    [2, 2, '< 1 [2]'],
    [1, 9, '[1] 2 … 9 >'],
    [3, 9, '< 1 2 [3] 4 … 9 >'],
    [4, 9, '< 1 2 3 [4] 5 … 9 >'],
    [5, 9, '< 1 … 4 [5] 6 … 9 >'],
    [9, 9, '< 1 … 8 [9]'],
    [700, 1400, '< 1 … 699 [700] 701 … 1,400 >'],
  ];
  for (const [page, pages, shown] of cases) {
    it(`of page ${page} of ${pages} are ${shown}`, () => {
      const { previous, next, items } = pageLinks(page, pages, (change) => `?page=${change.page}`);
      const text = items.map((item) => {
        if ('ellipsis' in item) return '…';
        const { number, current } = { number: '', current: false, ...item };
        return current ? `[${number}]` : number;
      });
      assert.equal(
        [previous && '<', ...text, next && '>'].filter((part) => part !== undefined).join(' '),
        shown,
      );
    });
  }
});
