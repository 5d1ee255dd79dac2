/** Deliveries of subscriptions that clients and operators change, delete and erase. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeliveryStore } from '../../src/orders/subscriptions/delivery-store.ts';
import {
  changeSubscription,
  createResponses,
  createTestStore,
  idsOf,
  setUp,
  startDeliverer,
  startReceiver,
  subscribe,
  subscriptionOf,
  until,
} from './delivery-place.ts';

describe('deliveries', () => {
  it('stop when the client turns the subscription off or deletes it', async (context) => {
    const { place, received, id, deliverer } = await setUp(context);
    await changeSubscription(place, id, { status: 'off' });
    await until(() => deliverer.facts.active === 0);
    await createResponses(place);
    await changeSubscription(place, id, { status: 'requested' });
    await until(() => received.length === 1);
    const access = { address: '', requestId: '', interaction: 'delete' } as const;
    await place.repository.delete({ type: 'Subscription', id, preconditions: {} }, access);
    await until(() => deliverer.facts.active === 0);
    await createResponses(place);
    assert.equal(received.length, 1);
  });

  it('stop when the subscription is erased', async (context) => {
    const { place, received, id, deliverer, clock } = await setUp(context);
    place.erased.add(id);
    clock.advance(61_000);
    await until(() => deliverer.facts.active === 0);
    await createResponses(place);
    assert.equal(received.length, 0);
  });

  it('end when clients may no longer follow changes', async (context) => {
    const { place, received, id, stop } = await setUp(context);
    await stop();
    const { problems } = startDeliverer(context, place, { mayFollow: false });
    await createResponses(place);
    await until(async () => (await subscriptionOf(place, id)).status === 'off');
    const text = 'The server no longer lets clients follow changes.';
    assert.deepEqual([(await subscriptionOf(place, id)).error, problems], [text, [text]]);
    assert.equal(received.length, 0);
  });

  it('continue when a client sends the active subscription back', async (context) => {
    const { place, received, id, deliverer } = await setUp(context);
    const ids = await createResponses(place);
    await until(() => received.length === 1);
    await changeSubscription(place, id, { reason: 'another', status: 'active' });
    ids.push(...(await createResponses(place, 2)));
    await until(() => received.length === 3);
    assert.deepEqual(idsOf(received), ids);
    assert.equal(deliverer.facts.active, 1);
  });

  it('read each version of a subscription once, and then only look for erased ones', async (context) => {
    const place = createTestStore();
    const { store } = place;
    const positions: (string | undefined)[] = [];
    let checks = 0;
    const counting: DeliveryStore = {
      ...store,
      notifications: (request, access, wait) => {
        if (access === undefined) positions.push(request.position);
        return store.notifications(request, access, wait);
      },
      currentSubscriptions: () => {
        checks += 1;
        return store.currentSubscriptions();
      },
    };
    const { url } = await startReceiver(context);
    const id = await subscribe(place, url);
    const { clock, deliverer } = startDeliverer(context, place, { store: counting });
    await until(() => deliverer.facts.active === 1);
    for (let minute = 2; minute <= 4; minute++) {
      clock.advance(61_000);
      await until(() => checks >= minute);
    }
    const fromStart = () => positions.filter((position) => position === '0').length;
    assert.equal(fromStart(), 1);
    place.erased.add(id);
    clock.advance(61_000);
    await until(() => deliverer.facts.active === 0);
    assert.equal(fromStart(), 2);
  });
});
