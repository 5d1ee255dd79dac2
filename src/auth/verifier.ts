/** What checks a token that is not known yet. */
import type { Authenticated } from './claims.ts';

export interface Verified {
  readonly authenticated: Authenticated;
  /** Until when this may be remembered, in milliseconds since 1970. */
  readonly untilMs: number;
}

/**
 * Rejects with a FhirError for a token that is not valid, or cannot be checked now. `address` is that
 * of the client that sent it.
 */
export type Verify = (token: string, address: string) => Promise<Verified>;
