/** The keys of an issuer at its address. Known keys stay valid while the issuer does not answer. */
import { createRemoteJWKSet, customFetch } from 'jose';
import { messageOf } from './auth-error.ts';
import { type KeySource, readKeySet } from './key-set.ts';
import type { Fetch } from './outgoing.ts';
import { cannotCheck } from './refusal.ts';

export interface JwksUrlOptions {
  readonly now: () => number;
  readonly fetch: Fetch;
  /** Receives one line each time the server cannot fetch the keys. */
  readonly onProblem: (problem: string) => void;
}

export function createJwksUrl(url: string, { now, fetch, onProblem }: JwksUrlOptions): KeySource {
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;

  /** Fetches the keys, without those that are not usable. */
  const fetchUsable = async (): Promise<Response> => {
    try {
      const response = await fetch(url, { headers: { Accept: 'application/json' } });
      const text = await response.text();
      if (response.status !== 200) {
        throw new Error(`${url}: the answer has status ${response.status}`);
      }
      const keys = readKeySet(text, url);
      fetchedAt = now();
      failedAt = Number.NEGATIVE_INFINITY;
      return Response.json(keys);
    } catch (error) {
      failedAt = now();
      onProblem(`Cannot fetch keys. ${messageOf(error)}`);
      throw error;
    }
  };
  // jose drops expired keys, and fetches as often as it is asked after a failure. So its keys never
  // expire, and this module decides when to fetch.
  const keys = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
    [customFetch]: fetchUsable,
  });
  /** Fetches once for all callers. A failure is reported already, and the known keys stay. */
  const fetchKeys = (): Promise<void> => keys.reload().catch(() => {});
  const hasKeys = () => fetchedAt > Number.NEGATIVE_INFINITY;
  const mayRetry = () => now() - failedAt >= (hasKeys() ? COOLDOWN_MS : RETRY_MS);

  return {
    async keyOf(header, token) {
      if (now() - fetchedAt >= FRESH_MS && mayRetry()) {
        const isFailing = failedAt > fetchedAt;
        const fetched = fetchKeys();
        // After a failure, requests wait only if there are no keys.
        if (!hasKeys() || !isFailing) await fetched;
      }
      if (!hasKeys()) throw cannotCheck();
      return await keys(header, token);
    },
    async refresh() {
      const isDue = now() - fetchedAt >= COOLDOWN_MS && mayRetry();
      // A fetch that has begun may bring the key.
      if (isDue || keys.reloading) await fetchKeys();
    },
    async reload() {
      // A fetch that has begun may bring a key that the issuer has withdrawn since.
      if (keys.reloading) await fetchKeys();
      await fetchKeys();
    },
  };
}

/** For this time, a key stays valid after the issuer withdraws it. */
const FRESH_MS = 600_000;

/**
 * Anybody can write a token with an unknown key, so such tokens do not cause more fetches. The
 * same pause follows a failure.
 */
const COOLDOWN_MS = 30_000;

/** The pause after a failure while there are no keys, and the server accepts no token. */
const RETRY_MS = 5000;
