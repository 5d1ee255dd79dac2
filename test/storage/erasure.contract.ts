/** What an erasure must do in every kind of store. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AUDIT_EVENT } from '../../src/fhir/audit/audit-event.ts';
import { ACCESS, createOrder, identifierOf, TYPE, updateOrder } from './repository.contract.ts';
import { type StorePlace, searchFor } from './store-place.ts';

export function describeErasure(makePlace: () => Promise<StorePlace>): void {
  describe('an erasure', () => {
    let place: StorePlace;
    const one = identifierOf('1');

    beforeEach(async () => {
      place = await makePlace();
      await createOrder(place.store, 'a', [one]); // entry 1
      await updateOrder(place.store, 'a', { entries: [one], note: 'second' });
      await createOrder(place.store, 'b', [one]); // entry 3
    });
    afterEach(() => place.remove());

    const parameters = async () =>
      (await place.entries())
        .filter((entry) => entry.parametersDigest !== undefined)
        .map((entry) => entry.parameters);

    it('removes the content of all versions, and is recorded with its reason', async () => {
      const erased = await place.commands.eraseContent({ id: 'a' }, 'request 17');
      assert.deepEqual([erased.type, erased.id, erased.versions], [TYPE, 'a', 2]);
      const current = await place.store.read({ type: TYPE, id: 'a' }, ACCESS);
      assert.deepEqual([current?.text, current?.isErased, current?.version], [undefined, true, 2]);
      const entry = (await place.entries()).find(({ interaction }) => interaction === 'erase');
      assert.deepEqual(
        [entry?.outcome, entry?.resource, entry?.reason],
        ['done', 'a', 'request 17'],
      );
      assert.deepEqual(await place.findings(), []);
    });

    it('is done once, and the resource is not written or found again', async () => {
      await place.commands.eraseContent({ type: TYPE, id: 'a' }, 'asked');
      const again = await place.commands.eraseContent({ id: 'a' }, 'again');
      assert.deepEqual([again.versions, again.isComplete], [0, true]);
      assert.equal((await updateOrder(place.store, 'a')).kind, 'erased');
      const found = await createOrder(place.store, 'c', [], one);
      assert.ok(found.kind === 'exists' && found.stored.id === 'b');
      assert.deepEqual(await place.findings(), []);
    });

    it('removes the content of one version alone', async () => {
      const { commands, store } = place;
      const erase = (version: number) =>
        commands.eraseContent({ id: 'a', version }, 'another patient');
      await searchFor(store, 'of=a', { id: 'a' });
      await assert.rejects(erase(2), /Version 2 of \w+\/a is the current one\. Update or delete/);
      await assert.rejects(erase(3), /There is no version 3 of \w+\/a\./);
      await commands.holdResource({ id: 'a' }, 'inquest');
      await assert.rejects(erase(1), /on hold \(inquest\)/);
      await commands.releaseResource({ id: 'a' });
      assert.deepEqual([(await erase(1)).versions, (await erase(1)).versions], [1, 0]);
      const versions = [1, 2].map((version) =>
        store.read({ type: TYPE, id: 'a', version: String(version) }, ACCESS),
      );
      const [first, second] = await Promise.all(versions);
      assert.deepEqual([first?.text, first?.isErased], [undefined, true]);
      assert.match(second?.text ?? '', /second/);
      assert.equal(second?.isErased, undefined);
      assert.deepEqual(await parameters(), [undefined]);
      const found = await createOrder(store, 'c', [], one);
      assert.equal(found.kind, 'several');
      const entries = await place.entries();
      const recorded = entries.filter(({ interaction }) => interaction === 'erase');
      assert.deepEqual(
        recorded.map(({ resource, version, reason }) => [resource, version, reason]),
        [['a', 1, 'another patient']],
      );
      assert.deepEqual(await place.findings(), []);
      assert.equal((await updateOrder(store, 'a')).kind, 'stored');
      assert.equal((await commands.eraseContent({ id: 'a' }, 'asked')).versions, 3);
      assert.equal((await erase(3)).versions, 0);
      assert.deepEqual(await place.findings(), []);
    });

    it('leaves out what it erased where texts are listed', async () => {
      const { commands } = place;
      const listed = async (name: { readonly type?: string; readonly id?: string }) =>
        Array.fromAsync(
          commands.storedTexts(name),
          ({ type, id, version, isCurrent }) => `${type}/${id} ${version} ${isCurrent}`,
        );
      const [first, second] = [`${TYPE}/a 1 false`, `${TYPE}/a 2 true`];
      assert.deepEqual(await listed({ id: 'a' }), [first, second]);
      assert.deepEqual(await listed({ type: TYPE }), [first, second, `${TYPE}/b 1 true`]);
      assert.deepEqual(await listed({ type: 'Subscription' }), []);
      await commands.eraseContent({ id: 'a', version: 1 }, 'asked');
      assert.deepEqual(await listed({ id: 'a' }), [second]);
    });

    it('leaves out the subscriptions that it erased, as a deliverer reads them', async () => {
      const { commands, store } = place;
      for (const id of ['s', 't', 'u']) await createOrder(store, id, [], undefined, 'Subscription');
      const deletion = { type: 'Subscription', id: 't', preconditions: {} };
      await store.delete(deletion, { ...ACCESS, interaction: 'delete' });
      await commands.eraseContent({ type: 'Subscription', id: 'u' }, 'asked');
      assert.deepEqual(await store.currentSubscriptions(), [{ id: 's', version: 1 }]);
    });

    it('refuses a resource that does not exist', async () => {
      const { commands } = place;
      await assert.rejects(commands.eraseContent({ id: 'none' }, 'x'), /There is no resource with/);
      const ofOtherType = { type: 'Order', id: 'a' };
      await assert.rejects(commands.eraseContent(ofOtherType, 'x'), /There is no Order\/a\./);
    });

    it('removes the parameters of searches that returned the resource', async () => {
      await searchFor(place.store, 'of=a', { id: 'a' });
      await searchFor(place.store, 'of=b', { id: 'b' });
      await place.commands.eraseContent({ id: 'a' }, 'asked');
      assert.deepEqual(await parameters(), [undefined, 'of=b']);
      assert.deepEqual(await place.findings(), []);
    });

    it('removes the parameters of conditions that created or matched the resource', async () => {
      const two = identifierOf('2');
      await createOrder(place.store, 'c', [two], two);
      await createOrder(place.store, 'd', [two], two);
      await createOrder(place.store, 'e', [], one);
      await place.commands.eraseContent({ id: 'c' }, 'asked');
      assert.deepEqual(await parameters(), [undefined, undefined, 'identifier=tested']);
      await place.commands.eraseContent({ id: 'b' }, 'asked');
      assert.deepEqual(await parameters(), [undefined, undefined, undefined]);
    });

    it('removes the parameters of searches that returned an audit entry about it', async () => {
      await searchFor(place.store, 'patient.identifier=9434765919', { type: AUDIT_EVENT, id: '1' });
      await searchFor(place.store, 'of=3', { type: AUDIT_EVENT, id: '3' });
      await place.commands.eraseContent({ id: 'a' }, 'asked');
      assert.deepEqual(await parameters(), [undefined, 'of=3']);
      assert.deepEqual(await place.findings(), []);
    });
  });
}
