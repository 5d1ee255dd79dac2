/** Caches the results of checks by the hash of the token, so that no token stays in memory. */
import { hash } from 'node:crypto';

export interface TokenCache<T> {
  get(key: string): T | undefined;
  /** The entry expires at `untilMs`. */
  set(key: string, value: T, untilMs: number): void;
  clear(): void;
}

/** `now` is the clock, in milliseconds since 1970. */
export function createTokenCache<T>(now: () => number): TokenCache<T> {
  const entries = new Map<string, { readonly value: T; readonly untilMs: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (now() < entry.untilMs) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, untilMs) {
      if (untilMs <= now()) return;
      // Deleted first, so that the newest entry is evicted last.
      entries.delete(key);
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '');
      entries.set(key, { value, untilMs });
    },
    clear: () => entries.clear(),
  };
}

export function hashOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** The entries take some megabytes. With more tokens in use, each is checked more often. */
const ENTRIES_MAX = 10_000;
