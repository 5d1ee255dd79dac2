/** A few sequences of steps: `followers.long.test.ts` tries many. */
import { describeFollowers } from './followers.contract.ts';

describeFollowers(4);
