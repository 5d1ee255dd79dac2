/** Commands on the order responses of a database: what every kind of store must do. */
import { describeContents } from '../contents.contract.ts';
import { describeErasure } from '../erasure.contract.ts';
import { describeFillIndex } from '../fill-index.contract.ts';
import { describeHolds } from '../holds.contract.ts';
import { describeTables } from '../tables.contract.ts';
import { describeVerification } from '../verification.contract.ts';
import { describeOnPostgres } from './database-place.ts';

describeOnPostgres('commands on the order responses of PostgreSQL', (place) => {
  describeErasure(place);
  describeHolds(place);
  describeVerification(place);
  describeContents(place);
  describeFillIndex(place);
  describeTables(place);
});
