/** The function that checks a token that is not in the cache. */
import type { Authenticated } from './claims.ts';

export interface Verified {
  readonly authenticated: Authenticated;
  /** The time when the cached result expires, in milliseconds since 1970. */
  readonly untilMs: number;
}

/**
 * Rejects with a FhirError if the token is not valid, or if the server cannot check it now.
 * `address` is the address of the client.
 */
export type Verify = (token: string, address: string) => Promise<Verified>;
