/** 20,000 random searches near a place, each compared with a look at every record. */
import { test } from 'node:test';
import { fc } from '../../property.ts';
import { checkSearches, placed, placedIndex, searches } from './near-oracle.ts';

const INDEXES = 40;
const SEARCHES = 500;

test('20,000 random searches find what a look at every record finds', () => {
  const places = fc.sample(placed, INDEXES);
  const asked = fc.sample(searches, INDEXES * SEARCHES);
  for (const [at, one] of places.entries()) {
    const index = placedIndex(one, 200 + 40 * at);
    checkSearches(index, asked.slice(at * SEARCHES, (at + 1) * SEARCHES));
  }
});
