/** The tokens by which the repository finds resources: one list for writing and for verifying. */
import type { Resource } from '../format/resource.ts';
import { type TokenEntry, tokenEntries } from './token.ts';

/** An entry of the index of one search parameter. */
export interface ResourceToken extends TokenEntry {
  readonly parameter: string;
}

/** Every type that clients write can be found by its business identifiers. */
export const IDENTIFIER_PARAMETER = 'identifier';

export function tokensOf({ identifier }: Resource): ResourceToken[] {
  return tokenEntries(identifier).map((entry) => ({ parameter: IDENTIFIER_PARAMETER, ...entry }));
}
