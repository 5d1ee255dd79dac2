/** The store that tests have in place of a database does what every store of order responses does. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeChangeFeed } from './change-feed.contract.ts';
import { describeFeedCriteria, describeWaitingFeed } from './feed-criteria.contract.ts';
import { createMemoryRepository } from './memory-repository.ts';
import { createOrder, describeRepository, updateOrder } from './repository.contract.ts';
import { describeSearch } from './search.contract.ts';
import { describeTransactions } from './transaction.contract.ts';

const place = async () => ({ store: createMemoryRepository(), remove: async () => {} });
describeRepository(place);
describeChangeFeed(place);
describeFeedCriteria(place);
describeWaitingFeed(place);
describeSearch(place);
describeTransactions(place);

it('the times of versions in memory never go back, for any clock', async () => {
  let now = new Date('2026-11-21T09:30:00Z');
  const store = createMemoryRepository(() => now);
  await createOrder(store, 'a');
  now = new Date('2026-11-21T08:00:00Z');
  const second = await updateOrder(store, 'a');
  assert.equal(
    second.kind === 'stored' && second.stored.writtenAt,
    '2026-11-21T09:30:00.000+00:00',
  );
});
