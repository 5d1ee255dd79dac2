/** What every kind of store must do when the search parameters of the program have changed. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { conditionOf, criterionOf } from './conditions.ts';
import { ACCESS, createOrder, identifierOf, TYPE, updateOrder } from './repository.contract.ts';
import type { StorePlace } from './store-place.ts';

const AS_DELETE = { ...ACCESS, interaction: 'delete' } as const;

export function describeFillIndex(makePlace: () => Promise<StorePlace>): void {
  describe('the search index of other parameters', () => {
    let place: StorePlace;

    beforeEach(async () => {
      place = await makePlace();
    });
    afterEach(() => place.remove());

    it('is filled anew from the current versions', async () => {
      const { store } = place;
      const [one, two] = [identifierOf('1'), identifierOf('2')];
      await createOrder(store, 'a', [one]);
      await createOrder(store, 'b', [one]);
      await updateOrder(store, 'b', { entries: [two] });
      for (const id of ['c', 'd']) await createOrder(store, id, [one]);
      await store.delete({ type: TYPE, id: 'c', preconditions: {} }, AS_DELETE);
      await place.commands.eraseContent({ id: 'd' }, 'asked');
      await place.tamper(`DELETE FROM search_entry; UPDATE search_index SET form = 'old'`);
      assert.deepEqual(await found(one), []);
      await place.refill();
      assert.deepEqual(await place.findings(), []);
      assert.deepEqual([await found(one), await found(two)], [['a'], ['b']]);
    });

    async function found(identifier: ReturnType<typeof identifierOf>) {
      const result = await place.store.search(
        {
          type: TYPE,
          ...conditionOf(criterionOf(identifier)),
          sort: [],
          count: 10,
          lengthMax: 1e9,
          candidatesMax: 100,
          keepMs: 60_000,
        },
        { ...ACCESS, interaction: 'search-type' },
      );
      assert.ok(result.kind === 'found', result.kind);
      return result.matches.map(({ id }) => id);
    }
  });
}
