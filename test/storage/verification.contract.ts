/** What the verification of order responses must find in every kind of store. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { VerifyOptions } from '../../src/storage/repository/verification.ts';
import { createOrder, identifierOf, updateOrder } from './repository.contract.ts';
import { type StorePlace, searchFor } from './store-place.ts';

const keyOf = (id: string) => `(SELECT key FROM resource WHERE id = '${id}')`;

/** What somebody changes, the SQL, and what is found. */
const CHANGES: readonly (readonly [what: string, sql: string, finding: RegExp])[] = [
  [
    'a changed text',
    `UPDATE resource_version SET text = replace(text, 'second', 'other')`,
    /the text of version 2 of a was changed/,
  ],
  [
    'a removed version',
    'DELETE FROM resource_version WHERE version = 2',
    /version 2 of a is missing, but audit entry 2 records it/,
  ],
  [
    'a changed audit entry',
    `UPDATE audit_entry SET entry = replace(entry, 'dr-1', 'dr-2') WHERE number = 2`,
    /audit entry 2 or the one before it was changed/,
  ],
  ['a removed audit entry', 'DELETE FROM audit_entry WHERE number = 2', /audit entry 2 is missing/],
  [
    'changed parameters of a search',
    `UPDATE audit_parameters SET parameters = 'of=b'`,
    /the parameters of audit entry \d were changed/,
  ],
  [
    'another current version',
    `UPDATE resource SET current_version = 1 WHERE id = 'a'`,
    /a has 2 versions up to 2, and its current version is recorded as 1/,
  ],
  [
    'removed search entries',
    `DELETE FROM search_entry WHERE resource = ${keyOf('b')}`,
    /the search entries of b are not those of its current version/,
  ],
  [
    'an erasure that is not recorded',
    `INSERT INTO erasure (resource, erased_at, audit_writer, audit_number)
     VALUES (${keyOf('b')}, '', 1, 1)`,
    /the erasure of b differs from the audit log/,
  ],
  [
    'an erasure of another version than the recorded one',
    'UPDATE version_erasure SET version = 3',
    /the text of version 2 of c was changed\n.*the erasure of c differs from the audit log/s,
  ],
  ['a removed hold', 'DELETE FROM hold', /the hold of a is missing, but the audit log records it/],
  [
    'a hold of another resource',
    `UPDATE hold SET resource = ${keyOf('b')}`,
    /the hold of b differs from the audit log\nthe hold of a is missing/,
  ],
  [
    'another reason of a hold',
    `UPDATE hold SET reason = 'first'`,
    /the hold of a differs from the audit log$/,
  ],
  [
    'another time of a hold',
    `UPDATE hold SET held_at = '2020-01-01T00:00:00.000+00:00'`,
    /the hold of a differs from the audit log$/,
  ],
];

export function describeVerification(makePlace: () => Promise<StorePlace>): void {
  describe('verifying order responses', () => {
    let place: StorePlace;

    beforeEach(async () => {
      place = await makePlace();
      const one = identifierOf('1');
      await createOrder(place.store, 'a', [one]);
      await updateOrder(place.store, 'a', { entries: [one], note: 'second' });
      await createOrder(place.store, 'b', [one]);
      await createOrder(place.store, 'c');
      for (const note of ['second', 'third', 'fourth']) {
        await updateOrder(place.store, 'c', { note });
      }
      await place.commands.eraseContent({ id: 'c', version: 2 }, 'asked');
      await searchFor(place.store, 'of=a', { id: 'a' });
      await place.commands.holdResource({ id: 'a' }, 'first');
      await place.commands.holdResource({ id: 'a' }, 'inquest');
      await place.commands.holdResource({ id: 'b' }, 'court');
      await place.commands.releaseResource({ id: 'b' });
    });
    afterEach(() => place.remove());

    it('finds nothing where nothing was changed, and names the end of the audit log', async () => {
      assert.deepEqual(await place.findings(), []);
      const verify = async (options: VerifyOptions) =>
        (await Array.fromAsync(place.commands.verify(options))).at(-1);
      const part = await verify({});
      assert.equal(part?.summary, '3 order responses, 7 versions');
      const expectedHead = part.head;
      assert.ok(expectedHead !== undefined);
      assert.deepEqual((await verify({ expectedHead }))?.findings, []);
      const later = { ...expectedHead, number: expectedHead.number + 1 };
      const cut = await verify({ expectedHead: later });
      assert.match(cut?.findings.join() ?? '', /its end was cut off/);
    });

    for (const [what, sql, finding] of CHANGES) {
      it(`finds ${what}`, async () => {
        await place.tamper(sql);
        assert.match((await place.findings()).join('\n'), finding);
      });
    }
  });
}
