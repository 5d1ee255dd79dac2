/** Receivers of notifications and readers that wait, while the database of the servers fails. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { OrderClient } from '../faults/order-client.ts';
import { JSON_TYPE } from '../order-response/order-server.ts';
import type { Owner } from '../owner.ts';
import { SUBSCRIPTION_EXAMPLE } from '../subscriptions/example.ts';
import { judge, startRecorders, untilComplete } from '../subscriptions/recorders.ts';
import { startFollower } from './follower.ts';

export interface Subscribers {
  /** Resolves when every receiver has got another notification. */
  notificationsGoOn(): Promise<void>;
  /** Waits until all have everything that is stored: `id/version`. */
  finish(stored: readonly string[]): Promise<SubscribersResult>;
}

export interface SubscribersResult {
  readonly faults: readonly string[];
  readonly notifications: number;
  /** Notifications that came again. */
  readonly repeats: number;
}

/** How many of each there are. */
interface SubscriberCounts {
  readonly receivers: number;
  readonly readers: number;
}

const WAIT = '?_after=0&_count=100&_wait=5';
const LOOK_EVERY_MS = 100;

/** `clients`: of each server. Each reader begins at another one. */
export async function startSubscribers(
  owner: Owner,
  origin: string,
  token: string,
  clients: readonly OrderClient[],
  counts: SubscriberCounts = { receivers: 5, readers: 5 },
): Promise<Subscribers> {
  const recorders = await startRecorders(owner, counts.receivers);
  for (const { url } of recorders) await subscribe(origin, token, url);
  const readers = Array.from({ length: counts.readers }, (_, at) => {
    const first = at % clients.length;
    return startFollower([...clients.slice(first), ...clients.slice(0, first)], WAIT);
  });
  const addressOf = (stored: string) => `OrderResponse/${stored.replace('/', '/_history/')}`;

  return {
    notificationsGoOn: async () => {
      const before = recorders.map(({ got }) => got.length);
      while (recorders.some(({ got }, at) => got.length <= (before[at] ?? 0))) {
        await delay(LOOK_EVERY_MS);
      }
    },
    finish: async (stored) => {
      await untilComplete(
        stored.map(addressOf),
        recorders.map(({ got }) => got),
      );
      const faults = (await Promise.all(readers.map(({ finish }) => finish(stored)))).flat();
      const judged = judge(
        recorders,
        readers.map(({ seen }) => seen.map(addressOf)),
      );
      const notifications = recorders.reduce((sum, { got }) => sum + got.length, 0);
      return { faults: [...faults, ...judged.faults], notifications, repeats: judged.repeats };
    },
  };
}

/** Subscribes to every order response. */
export async function subscribe(origin: string, token: string, endpoint: string): Promise<void> {
  const channel = { type: 'rest-hook', endpoint, payload: 'application/json' };
  const answer = await fetch(`${origin}/Subscription`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE },
    body: JSON.stringify({ ...SUBSCRIPTION_EXAMPLE, criteria: 'OrderResponse', channel }),
  });
  assert.equal(answer.status, 201, await answer.text());
}
