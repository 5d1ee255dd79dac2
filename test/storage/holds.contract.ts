/** What holds must do in every kind of store. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createOrder, TYPE } from './repository.contract.ts';
import type { StorePlace } from './store-place.ts';

export function describeHolds(makePlace: () => Promise<StorePlace>): void {
  describe('a hold', () => {
    let place: StorePlace;

    beforeEach(async () => {
      place = await makePlace();
      for (const id of ['a', 'b']) await createOrder(place.store, id);
    });
    afterEach(() => place.remove());

    it('keeps a resource from being erased, until it ends', async () => {
      const { commands } = place;
      await commands.holdResource({ id: 'a' }, 'inquest');
      await assert.rejects(
        commands.eraseContent({ id: 'a' }, 'x'),
        /on hold \(inquest\).*orders release/,
      );
      await commands.releaseResource({ id: 'a' });
      await assert.rejects(commands.releaseResource({ id: 'a' }), /is not on hold/);
      assert.equal((await commands.eraseContent({ id: 'a' }, 'x')).versions, 1);
      await assert.rejects(commands.holdResource({ id: 'a' }, 'late'), /has already been erased/);
      assert.deepEqual(await place.findings(), []);
    });

    it('is listed with its last reason, and recorded', async () => {
      const { commands } = place;
      await commands.holdResource({ type: TYPE, id: 'a' }, 'first');
      await commands.holdResource({ id: 'a' }, 'inquest');
      await commands.holdResource({ id: 'b' }, 'court');
      await commands.releaseResource({ id: 'b' });
      const held = await Array.fromAsync(commands.heldResources());
      assert.deepEqual(
        held.map(({ type, id, reason }) => [type, id, reason]),
        [[TYPE, 'a', 'inquest']],
      );
      const recorded = (await place.entries()).filter(({ outcome }) => outcome === 'done');
      assert.deepEqual(
        recorded.map(({ interaction, resource, reason }) => [interaction, resource, reason]),
        [
          ['hold', 'a', 'first'],
          ['hold', 'a', 'inquest'],
          ['hold', 'b', 'court'],
          ['release', 'b', 'court'],
        ],
      );
      assert.deepEqual(await place.findings(), []);
    });
  });
}
