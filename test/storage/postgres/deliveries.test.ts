/** How far subscriptions are is stored only by the server that holds the lease. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { createDeliveryLease } from '../../../src/storage/postgres/shared-state.ts';
import { createPlaces, openNode } from './database-place.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

describePostgres('the deliveries of a database', () => {
  let server: PostgresServer;
  const places = createPlaces(() => server);
  before(async () => {
    server = await startPostgres();
  });
  after(async () => {
    places.close();
    await server.stop();
  });

  it('are stored by the holder of the lease, not by the one before', async (context) => {
    const place = await places.make();
    const { store, close } = await openNode(place.url, place.keyFile);
    context.after(async () => {
      await close();
      await place.remove();
    });
    const address = parseDatabaseUrl(place.url);
    const [before, present] = [createDeliveryLease(address), createDeliveryLease(address)];
    context.after(() => Promise.all([before.release(), present.release()]));
    const save = async (position: string, holder?: string) => {
      const state = { subscription: 'a', position, writtenAt: '', failingSinceMs: null };
      await store.saveDeliveries([{ ...state, problem: '', holder }]);
      return (await store.readDeliveries()).map((each) => each.position);
    };
    assert.equal(await before.renew(), true);
    assert.deepEqual(await save('1', before.holder), ['1']);
    assert.equal(await present.renew(), false);
    assert.deepEqual(await save('2', present.holder), ['1']);
    await server.run(`UPDATE delivery_lease SET ends_at = now() - interval '1 s'`, place.database);
    assert.deepEqual(await save('3', before.holder), ['3'], 'no other server delivers');
    assert.equal(await present.renew(), true);
    assert.deepEqual(await save('4', before.holder), ['3']);
    assert.deepEqual(await save('5', present.holder), ['5']);
    assert.deepEqual(await save('6'), ['6'], 'a store without leases');
  });
});
