/** Many sequences of steps. */
import { describeFollowers } from './followers.contract.ts';

describeFollowers(60);
