/** The counts of a store of order responses, for verifications, backups and restores. */
import { first, type SqlSteps, sql } from '../repository/statement.ts';

export interface StoredCounts {
  readonly orderResponses: number;
  readonly subscriptions: number;
  /** Of both. */
  readonly versions: number;
}

export function* storedCounts(): SqlSteps<StoredCounts> {
  const counts = yield* first(sql`SELECT count(*) AS resources,
    count(*) FILTER (WHERE resource_type = 'Subscription') AS subscriptions,
    (SELECT count(*) FROM resource_version) AS versions FROM resource`);
  const subscriptions = Number(counts?.subscriptions);
  return {
    orderResponses: Number(counts?.resources) - subscriptions,
    subscriptions,
    versions: Number(counts?.versions),
  };
}

/** `2 order responses and 1 subscriptions`, without the subscriptions if there are none. */
export function resourcesText({ orderResponses, subscriptions }: StoredCounts): string {
  const others = subscriptions > 0 ? ` and ${subscriptions} subscriptions` : '';
  return `${orderResponses} order responses${others}`;
}
