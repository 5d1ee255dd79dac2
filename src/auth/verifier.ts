/** What checks a token that is not known yet. */
import type { Authenticated } from './claims.ts';

export interface Verified {
  readonly authenticated: Authenticated;
  /** Until when this may be remembered, in milliseconds since 1970. */
  readonly untilMs: number;
}

/**
 * Rejects with a FhirError where the token is not valid, or cannot be checked now. `address` is
 * the address of the client.
 */
export type Verify = (token: string, address: string) => Promise<Verified>;
