/** Commands on the order responses of a data folder: what every kind of store must do. */
import { describeContents } from '../contents.contract.ts';
import { describeErasure } from '../erasure.contract.ts';
import { describeFillIndex } from '../fill-index.contract.ts';
import { describeHolds } from '../holds.contract.ts';
import { placeInThisThread } from '../repository-place.ts';
import { describeVerification } from '../verification.contract.ts';

describeErasure(placeInThisThread);
describeHolds(placeInThisThread);
describeVerification(placeInThisThread);
describeContents(placeInThisThread);
describeFillIndex(placeInThisThread);
