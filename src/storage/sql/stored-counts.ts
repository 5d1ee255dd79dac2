/** The counts of a store of order responses, for verifications, backups and restores. */
import { first, type SqlSteps, sql } from '../repository/statement.ts';

export interface StoredCounts {
  /** A text for people: `2 order responses and 1 subscriptions`, or without the subscriptions if there are none. */
  readonly resources: string;
  readonly versions: number;
}

export function* storedCounts(): SqlSteps<StoredCounts> {
  const counts = yield* first(sql`SELECT count(*) AS resources,
    count(*) FILTER (WHERE resource_type = 'Subscription') AS subscriptions,
    (SELECT count(*) FROM resource_version) AS versions FROM resource`);
  const subscriptions = Number(counts?.subscriptions);
  const others = subscriptions > 0 ? ` and ${subscriptions} subscriptions` : '';
  return {
    resources: `${Number(counts?.resources) - subscriptions} order responses${others}`,
    versions: Number(counts?.versions),
  };
}
