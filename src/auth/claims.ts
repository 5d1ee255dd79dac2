/** What the claims of a valid token say: on whose behalf, and what it allows. */
import type { Identity } from '../fhir/access.ts';
import { invalidToken } from './refusal.ts';
import { parseScopes, type Scope } from './scopes.ts';

/** Whom a valid token speaks for, and what it allows. */
export interface Authenticated {
  readonly identity: Identity;
  readonly scopes: readonly Scope[];
}

export type Claims = Readonly<Record<string, unknown>>;

/**
 * Throws a FhirError for a token that names no subject or client, for a token with an invalid
 * time, and for a token that is bound to its sender's key or certificate (`cnf`), which the
 * server does not see.
 */
export function authenticatedOf(claims: Claims): Authenticated {
  for (const name of ['exp', 'nbf', 'iat']) demandTime(name, claims[name]);
  if (claims.cnf !== undefined) {
    throw invalidToken('It is bound to a key of its sender, which cannot be checked here.');
  }
  const client = nameIn(claims.client_id) ?? nameIn(claims.azp);
  const subject = nameIn(claims.sub) ?? client;
  if (subject === undefined) throw invalidToken('It names neither a subject nor a client.');
  return {
    identity: client === undefined ? { subject } : { subject, client },
    scopes: parseScopes(claims.scope, claims.scp),
  };
}

/** Seconds since 1970. A JSON number such as 1e400 becomes infinite in JavaScript. */
function demandTime(name: string, claim: unknown): void {
  if (claim === undefined) return;
  if (typeof claim === 'number' && claim >= 0 && claim <= SECONDS_MAX) return;
  throw invalidToken(`Its ${name} is not a time in seconds since 1970.`);
}

/** The end of the year 9999. A later time is a mistake, such as milliseconds. */
const SECONDS_MAX = 253_402_300_799;

function nameIn(claim: unknown): string | undefined {
  if (typeof claim !== 'string' || claim === '') return undefined;
  if (claim.length > NAME_LENGTH_MAX)
    throw invalidToken('It names somebody at too great a length.');
  if (hasControlCharacters(claim)) throw invalidToken('It names somebody with control characters.');
  return claim;
}

/** Names go into the audit log, which is read line by line, also in a terminal. */
export function hasControlCharacters(name: string): boolean {
  return /\p{C}/u.test(name);
}

/** Names stay in the audit log for good; OpenID Connect allows subjects of 255. */
const NAME_LENGTH_MAX = 1024;
