/** Which clients may change a subscription, and how many they may have. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { placeInThisThread, type SqlitePlace } from '../storage/repository-place.ts';
import { SUBSCRIPTION_EXAMPLE } from './example.ts';
import { problemsIn, setUp } from './subscription-server.ts';

const OTHER = { authorization: 'Bearer other subscriber' };

let place: SqlitePlace;
beforeEach(async () => {
  place = await placeInThisThread();
});
afterEach(() => place.remove());

describe('a subscription', () => {
  it('is changed and deleted only by the client that created it', async (context) => {
    // Order responses may be changed by any client.
    const { send, create } = await setUp(context, {
      store: place.store,
      settings: { updates: 'anyone' },
    });
    const id = await create();
    const path = `Subscription/${id}`;
    const off = { ...SUBSCRIPTION_EXAMPLE, id, status: 'off' };
    const entry = { request: { method: 'DELETE', url: path } };
    const bundle = { resourceType: 'Bundle', type: 'transaction', entry: [entry] };
    for (const refused of [
      await send('PUT', path, OTHER, off),
      await send('DELETE', path, OTHER),
      await send('POST', '', OTHER, bundle),
    ]) {
      assert.equal(refused.status, 403, refused.text);
      assert.match(problemsIn(refused).join(), /Only that client may change it/);
    }
    assert.equal((await send('PUT', path, {}, off)).status, 200);
    assert.equal((await send('DELETE', path)).status, 204);
    assert.equal((await send('PUT', path, OTHER, off)).status, 403, 'also when it was deleted');
  });
});

describe('the number of subscriptions', () => {
  it('is limited for each client; deleted ones do not count', async (context) => {
    const { send, create } = await setUp(context, {
      store: place.store,
      subscriptions: { perClientMax: 2 },
    });
    const first = await create();
    await create({ status: 'off' });
    const refused = await send('POST', 'Subscription', {}, SUBSCRIPTION_EXAMPLE);
    assert.equal(refused.status, 422);
    assert.deepEqual(problemsIn(refused), [
      'This client has created 2 resources of the type Subscription, which is the maximum. Delete one that is no longer needed, or ask the operator to raise subscriptions.perClientMax.',
    ]);
    assert.equal((await send('POST', 'Subscription', OTHER, SUBSCRIPTION_EXAMPLE)).status, 201);
    assert.equal((await send('DELETE', `Subscription/${first}`)).status, 204);
    await create();
    const again = { ...SUBSCRIPTION_EXAMPLE, id: first };
    assert.equal((await send('PUT', `Subscription/${first}`, {}, again)).status, 422);
    assert.deepEqual(place.findings(), []);
  });

  it('is limited for all clients, also in one transaction', async (context) => {
    const { send, create } = await setUp(context, {
      store: place.store,
      subscriptions: { countMax: 2 },
    });
    const id = await create();
    const entry = [1, 2].map(() => ({
      resource: SUBSCRIPTION_EXAMPLE,
      request: { method: 'POST', url: 'Subscription' },
    }));
    const bundle = { resourceType: 'Bundle', type: 'transaction', entry };
    const refused = await send('POST', '', OTHER, bundle);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /This server has 2 resources.*raise subscriptions\.countMax/);
    assert.equal((await send('POST', 'Subscription', OTHER, SUBSCRIPTION_EXAMPLE)).status, 201);
    assert.equal((await send('POST', 'Subscription', OTHER, SUBSCRIPTION_EXAMPLE)).status, 422);
    const changed = { ...SUBSCRIPTION_EXAMPLE, id, reason: 'another' };
    assert.equal((await send('PUT', `Subscription/${id}`, {}, changed)).status, 200);
  });
});
