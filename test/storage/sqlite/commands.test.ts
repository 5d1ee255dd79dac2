/** Commands on the order responses of a data folder: what every kind of store must do. */
import { describeErasure } from '../erasure.contract.ts';
import { describeHolds } from '../holds.contract.ts';
import { placeInThisThread } from '../repository-place.ts';
import { describeVerification } from '../verification.contract.ts';

describeErasure(placeInThisThread);
describeHolds(placeInThisThread);
describeVerification(placeInThisThread);
