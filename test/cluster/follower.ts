/** A client that follows the feed of changes, through another server each time. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OrderClient } from '../faults/order-client.ts';

export interface Follower {
  /** The versions that it has read, as `id/version`. */
  readonly seen: readonly string[];
  /** Reads to the last version, and returns the faults of the versions that it read. */
  finish(stored: readonly string[]): Promise<readonly string[]>;
}

const PAUSE_MS = 50;

interface FeedPage {
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly {
    readonly resource?: { readonly id: string; readonly meta: { readonly versionId: string } };
  }[];
}

/** `query`: of the first page, which begins with the first version. */
export function startFollower(
  clients: readonly OrderClient[],
  query = '?_after=0&_count=100',
): Follower {
  const seen: string[] = [];
  let nextQuery = query;
  let turn = 0;
  let isFinishing = false;

  /** Returns whether there can be more versions. */
  const readPage = async (): Promise<boolean> => {
    const client = clients[turn++ % clients.length];
    const answer = await client?.changes(nextQuery);
    if (answer?.status !== 200) return true;
    const { link, entry = [] }: FeedPage = JSON.parse(answer.text);
    for (const { resource } of entry) {
      if (resource !== undefined) seen.push(`${resource.id}/${resource.meta.versionId}`);
    }
    nextQuery = new URL(link.find(({ relation }) => relation === 'follow')?.url ?? '').search;
    return entry.length > 0;
  };

  const reading = (async () => {
    while ((await readPage()) || !isFinishing) await delay(PAUSE_MS);
  })();

  return {
    seen,
    finish: async (stored) => {
      isFinishing = true;
      await reading;
      const read = new Set(seen);
      const missing = stored.filter((address) => !read.has(address));
      return [
        ...(read.size < seen.length ? [`${seen.length - read.size} versions came twice`] : []),
        ...missing.map((address) => `the feed lacks ${address}`),
      ];
    },
  };
}
