/** A database that lost committed writes, as in a failover to a late replica. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { confirmLosses } from '../../../src/storage/open.ts';
import { withConnection } from '../../../src/storage/postgres/connection/connection.ts';
import { countLosses } from '../../../src/storage/postgres/lanes/lost-writes.ts';
import { createOrder } from '../repository.contract.ts';
import { storeOptions } from '../store-options.ts';
import { type DatabasePlace, describeOnPostgres } from './database-place.ts';

describeOnPostgres('a database that lost writes', (makePlace) => {
  let place: DatabasePlace;

  beforeEach(async () => {
    place = await makePlace();
    for (const id of ['a', 'b', 'c']) await createOrder(place.store, id);
  });
  afterEach(() => place.remove());

  /** The database goes back to the time before the last writes. */
  const lose = (more = '') =>
    place.tamper(
      `DELETE FROM resource_version WHERE audit_number > 1;
       DELETE FROM resource AS r
       WHERE NOT EXISTS (SELECT 1 FROM resource_version AS v WHERE v.resource = r.key);
       DELETE FROM search_entry WHERE resource NOT IN (SELECT key FROM resource);
       DELETE FROM audit_entry WHERE number > 1;
       ${more}`,
    );
  const endConnections = () =>
    place.tamper(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'gazetteer orders'`,
    );
  const losses = () => withConnection(place.address, { name: 'test' }, countLosses);
  const confirm = () =>
    confirmLosses(place.url, { ...storeOptions('none'), auditKeyFile: place.keyFile });
  const create = async (id: string) => (await createOrder(place.store, id)).kind;

  it('has no loss while connections are lost and everything is there', async () => {
    await endConnections();
    assert.equal(await create('d'), 'stored');
    assert.equal(await losses(), 0);
    assert.equal(await confirm(), 0);
    assert.deepEqual(await place.findings(), []);
  });

  it('is noticed by the connection that wrote them, and said until it is confirmed', async () => {
    await lose();
    await endConnections();
    assert.equal(await create('d'), 'stored');
    assert.equal(await create('e'), 'stored');
    assert.equal(await losses(), 1);
    assert.deepEqual(await place.findings(), [
      'the audit log of writer 1 ends with entry 1, and had 3: its end was cut off',
    ]);
    assert.equal(await confirm(), 1);
    assert.equal(await losses(), 0);
    assert.deepEqual(await place.findings(), []);
    await lose();
    await endConnections();
    assert.equal(await create('f'), 'stored');
    assert.equal(await losses(), 1);
  });

  it('is noticed where the writer itself was lost', async () => {
    await lose('DELETE FROM audit_entry; DELETE FROM audit_writer WHERE number > 0');
    await endConnections();
    assert.equal(await create('d'), 'stored');
    assert.equal(await losses(), 1);
  });
});
