/** An issuer's keys at its address: fetched when needed, known ones going on while it is silent. */
import type { LocalJWKSet } from 'jose';
import { messageOf } from './auth-error.ts';
import { type KeySource, readKeySet } from './key-set.ts';
import type { Fetch } from './outgoing.ts';
import { cannotCheck } from './refusal.ts';

export interface JwksUrlOptions {
  readonly now: () => number;
  readonly fetch: Fetch;
  /** Told, in one line, each time the keys could not be fetched. */
  readonly onProblem: (problem: string) => void;
}

export function createJwksUrl(url: string, { now, fetch, onProblem }: JwksUrlOptions): KeySource {
  let keys: LocalJWKSet | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    try {
      const response = await fetch(url, { headers: { Accept: 'application/json' } });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${url}: it answers ${response.status}`);
      keys = readKeySet(text, url);
      fetchedAt = now();
      failedAt = Number.NEGATIVE_INFINITY;
    } catch (error) {
      failedAt = now();
      onProblem(`Cannot fetch keys. ${messageOf(error)}`);
    }
  };
  /** One fetch at a time, whoever asks. */
  const fetchKeys = (): Promise<void> => {
    pending ??= load().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  const hasFailed = () => failedAt > fetchedAt;
  const mayRetry = () => now() - failedAt >= (keys === undefined ? RETRY_MS : COOLDOWN_MS);

  return {
    async current() {
      if (now() - fetchedAt >= FRESH_MS && mayRetry()) {
        const fetched = fetchKeys();
        // After a failure only those wait who have nothing else.
        if (keys === undefined || !hasFailed()) await fetched;
      }
      if (keys === undefined) throw cannotCheck();
      return keys;
    },
    async renewed(known) {
      const isDue = keys === known && now() - fetchedAt >= COOLDOWN_MS && mayRetry();
      // Those that are on their way already are waited for in any case.
      if (isDue || pending !== undefined) await fetchKeys();
      return keys === known ? undefined : keys;
    },
    async reload() {
      // What is on its way already may be what the issuer has just withdrawn.
      await pending;
      await fetchKeys();
    },
  };
}

/** So long a key that the issuer has withdrawn may still count. */
const FRESH_MS = 600_000;

/**
 * A token with an unknown key is no reason to fetch more often, as anybody can write one; nor is an
 * issuer that is silent.
 */
const COOLDOWN_MS = 30_000;

/** While there are no keys at all, and nobody can be let in. */
const RETRY_MS = 5000;
