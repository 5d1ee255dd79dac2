/** Commands on the order responses of a data folder: what every kind of store must do. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeContents } from '../contents.contract.ts';
import { describeErasure } from '../erasure.contract.ts';
import { describeFillIndex } from '../fill-index.contract.ts';
import { describeHolds } from '../holds.contract.ts';
import { createOrder } from '../repository.contract.ts';
import { placeInThisThread } from '../repository-place.ts';
import { describeTables } from '../tables.contract.ts';
import { describeVerification } from '../verification.contract.ts';

describeErasure(placeInThisThread);
describeHolds(placeInThisThread);
describeVerification(placeInThisThread);
describeContents(placeInThisThread);
describeFillIndex(placeInThisThread);
describeTables(placeInThisThread);

it('an entry of the audit log that cannot be read may be of any request', async (context) => {
  const place = await placeInThisThread();
  context.after(() => place.remove());
  await createOrder(place.store, 'a');
  await place.tamper(`UPDATE audit_entry SET entry = 'damaged' WHERE number = 1`);
  for (const query of [{}, { requestId: 'another' }, { newest: 100, requestId: 'another' }]) {
    await assert.rejects(
      Array.fromAsync(place.commands.auditEntries(query)),
      /audit entry 1 .*cannot be read/,
    );
  }
});
