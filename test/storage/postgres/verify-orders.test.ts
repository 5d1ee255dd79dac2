/** What the verification of a database must find besides what the contract of all stores names. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { withConnection } from '../../../src/storage/postgres/connection/connection.ts';
import { openOrdersDatabase } from '../../../src/storage/postgres/orders/orders-database.ts';
import { verifyOrders } from '../../../src/storage/postgres/orders/verify-orders.ts';
import { runSteps } from '../../../src/storage/postgres/tables/session.ts';
import { createOrder, updateOrder } from '../repository.contract.ts';
import { type DatabasePlace, describeOnPostgres } from './database-place.ts';

/** Gives a version another place in the order of changes. */
const moved = (to: string) => `UPDATE resource_version SET ${to} WHERE version = 2`;

/** What somebody changes, the SQL, and what is found. */
const CHANGES: readonly (readonly [what: string, sql: string, finding: RegExp])[] = [
  [
    'a dropped trigger',
    'DROP TRIGGER audit_entry_is_kept_2 ON audit_entry',
    /^the trigger audit_entry_is_kept_2 of the schema was changed, disabled or removed$/,
  ],
  [
    'a disabled trigger',
    'ALTER TABLE resource_version DISABLE TRIGGER resource_version_is_not_changed',
    /^the trigger resource_version_is_not_changed of the schema was changed, disabled or removed$/,
  ],
  [
    'a trigger of fewer events',
    `CREATE OR REPLACE TRIGGER erasure_is_kept_6 BEFORE TRUNCATE ON erasure
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('erasures are never changed or removed')`,
    /^the trigger erasure_is_kept_6 of the schema was changed, disabled or removed$/,
  ],
  [
    'a function that refuses nothing',
    `CREATE OR REPLACE FUNCTION refuse_changed_version() RETURNS trigger LANGUAGE plpgsql
     AS 'BEGIN RETURN NEW; END'`,
    /^the trigger resource_version_is_not_changed of the schema was changed/,
  ],
  [
    'a trigger of another program',
    `CREATE TRIGGER other BEFORE INSERT ON audit_entry
     FOR EACH ROW EXECUTE FUNCTION refuse_change('x')`,
    /^the trigger other is not part of the schema$/,
  ],
  [
    'a removed log and its writers',
    `DELETE FROM audit_entry; DELETE FROM audit_writer; DELETE FROM resource_version;
     DELETE FROM resource; DELETE FROM search_entry`,
    /^the list of the writers of the audit log is empty, .*\nthe audit log is empty, although/,
  ],
  [
    'another epoch of a version',
    moved('epoch = 9'),
    /^the place of version 2 of a in the order of changes was changed$/,
  ],
  [
    'a transaction before that of an earlier version',
    moved(`xid = '3'`),
    /^the place of version 1 of a in the order of changes was changed$/,
  ],
  [
    'a transaction that is still to come',
    moved(`xid = '900000000000'`),
    /^the place of version 2 of a in the order of changes was changed/,
  ],
  [
    'a missing epoch',
    'UPDATE database_epoch SET epoch = epoch + 1',
    /the epochs of the database up to 2 have gaps: an epoch was changed or removed/,
  ],
];

describeOnPostgres('verifying order responses of a database', (makePlace) => {
  describe('finds', () => {
    let place: DatabasePlace;

    beforeEach(async () => {
      place = await makePlace();
      await createOrder(place.store, 'a');
      await updateOrder(place.store, 'a');
    });
    afterEach(() => place.remove());

    for (const [what, sql, finding] of CHANGES) {
      it(what, async () => {
        const { address, auditKey } = await openOrdersDatabase(place.address, place.keyFile);
        await withConnection(address, { name: 'test' }, async (connection) => {
          // Nothing is committed, so the database is the same for the next test.
          await connection.begin();
          await connection.query(`SET LOCAL session_replication_role = replica; ${sql}`);
          const { findings } = await runSteps(connection, verifyOrders(auditKey));
          assert.match(findings.join('\n'), finding);
        });
      });
    }
  });
});
