/** Order responses in PostgreSQL: what every store of order responses must do. */
import { describeAuditedChanges, describeChangeFeed } from '../change-feed.contract.ts';
import { describeConditions } from '../condition.contract.ts';
import { describeCountLimits } from '../count-limits.contract.ts';
import {
  describeErasedFeed,
  describeFeedCriteria,
  describeWaitingFeed,
} from '../feed-criteria.contract.ts';
import { describeAuditedRepository, describeRepository } from '../repository.contract.ts';
import { describeAuditedTransactions, describeTransactions } from '../transaction.contract.ts';
import { describeOnPostgres } from './database-place.ts';

describeOnPostgres('order responses in PostgreSQL', (place) => {
  describeRepository(place);
  // On a slow machine, a write behind many others can take longer than the default wait.
  describeChangeFeed(() => place({ settledWaitMaxMs: 60_000 }));
  describeAuditedChanges(place);
  describeFeedCriteria(place);
  describeWaitingFeed(place);
  describeErasedFeed(place);
  describeAuditedRepository(place);
  describeConditions(place);
  describeCountLimits(place);
  describeTransactions(place);
  describeAuditedTransactions(place);
});
