/** Which edition each receiver has, in a database: one server at a time has the state of a receiver. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { createDatabaseReceiverStates } from '../../../src/storage/postgres/shared-state.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

describePostgres('the states of receivers in a database', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  it('are kept, and one server at a time has that of a receiver', async () => {
    const address = parseDatabaseUrl(server.url(await server.createDatabase()));
    const [one, other] = [
      createDatabaseReceiverStates(address),
      createDatabaseReceiverStates(address),
    ];
    const state = { accepted: 6, sent: 7, turn: 3 };
    const inside = await one.exclusively('a', async (known, save) => {
      assert.equal(known, undefined);
      await save({ accepted: 0, sent: 0, turn: 0 });
      await save(state);
      return [
        await other.exclusively('a', async () => 'both'),
        await other.exclusively('b', async () => 'another receiver'),
      ];
    });
    assert.deepEqual(inside, [undefined, 'another receiver']);
    assert.deepEqual(await other.exclusively('a', async (known) => known), state);
    await assert.rejects(
      one.exclusively('a', async () => {
        throw new Error('the receiver');
      }),
      /the receiver/,
    );
    assert.equal(await other.exclusively('a', async () => 'free'), 'free');
  });
});
