/** With which version the deliveries begin of a subscription that was deleted or turned off before. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  changeSubscription,
  createResponses,
  createTestStore,
  startDeliverer,
  startReceiver,
  subscribe,
  subscriptionOf,
  until,
  writeSubscription,
} from './delivery-place.ts';

const ACCESS = { address: '', requestId: 'test', interaction: 'delete' } as const;

for (const runs of [true, false]) {
  const when = runs ? 'while the server runs' : 'while no server runs';
  it(`a subscription that comes back ${when} begins with what is written then`, async (context) => {
    const place = createTestStore();
    const { received, url } = await startReceiver(context);
    const id = await subscribe(place, url);
    const { deliverer, stop } = startDeliverer(context, place);
    const before = await createResponses(place, 2);
    await until(() => received.length === 2 && place.states.has(id));
    const { meta: _, ...resource } = await subscriptionOf(place, id);
    if (!runs) await stop();
    await place.repository.delete({ type: 'Subscription', id, preconditions: {} }, ACCESS);
    if (runs) await until(() => deliverer.facts.active === 0);
    await createResponses(place, 3);
    await pause(5); // dates have milliseconds
    const again = { ...resource, status: 'requested' };
    await writeSubscription(place.repository, again, id, 'update');
    const after = await createResponses(place, 2);
    if (!runs) startDeliverer(context, place);
    await until(() => received.length >= 4);
    assert.deepEqual(
      received.map((each) => each.id),
      [...before, ...after],
    );
  });
}

it('a subscription that was off before its first delivery begins with its first request', async (context) => {
  const place = createTestStore();
  const { received, url } = await startReceiver(context);
  await createResponses(place);
  const id = await subscribe(place, url);
  const ids = await createResponses(place);
  await changeSubscription(place, id, { status: 'off' });
  ids.push(...(await createResponses(place)));
  await changeSubscription(place, id, { status: 'requested' });
  ids.push(...(await createResponses(place)));
  startDeliverer(context, place);
  await until(() => received.some((each) => each.id === ids.at(-1)));
  assert.deepEqual(
    received.map((each) => each.id),
    ids,
  );
});
