/** A receiver that notes which versions each subscription has delivered, and under which ids. */
import type { TestContext } from 'node:test';
import { startReceiver } from '../../subscriptions/delivery-place.ts';

/** The header of a channel that names its subscription here. */
export const FOLLOWER_HEADER = 'X-Follower';

export interface DeliveryLog {
  readonly url: string;
  /** While it is true, every notification is refused. */
  isAway: boolean;
  /** How many notifications were refused. */
  readonly refused: number;
  /** Ids that name two versions, and versions with two ids. */
  readonly faults: readonly string[];
  /** What a follower has accepted, as `id/version`, in order. */
  toldTo(follower: string): readonly string[];
}

export async function startDeliveryLog(context: TestContext): Promise<DeliveryLog> {
  const told = new Map<string, string[]>();
  const ids = new Map<string, string>();
  const versions = new Map<string, string>();
  const faults: string[] = [];
  const { url } = await startReceiver(context, (to, { headers }) => {
    const follower = String(headers[FOLLOWER_HEADER.toLowerCase()]);
    const resource = String(headers['gazetteer-resource']);
    const name = resource.replace('OrderResponse/', '').replace('/_history', '');
    const delivery = String(headers['gazetteer-delivery']);
    const version = `${follower} ${name}`;
    if ((ids.get(version) ?? delivery) !== delivery) faults.push(`${version} has another id`);
    if ((versions.get(delivery) ?? version) !== version)
      faults.push(`${version} has an id of others`);
    ids.set(version, delivery);
    versions.set(delivery, version);
    if (log.isAway) log.refused += 1;
    else told.set(follower, [...(told.get(follower) ?? []), name]);
    to.writeHead(log.isAway ? 500 : 200).end();
  });
  const log = {
    url,
    isAway: false,
    refused: 0,
    faults,
    toldTo: (follower: string) => told.get(follower) ?? [],
  };
  return log;
}
