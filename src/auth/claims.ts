/** Reads the claims of a valid token: the identity of its sender, and its scopes. */
import type { Identity } from '../fhir/audit/audit.ts';
import { invalidToken } from './refusal.ts';
import { parseScopes, type Scope } from './scopes.ts';

/** The identity and the scopes of a valid token. */
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
  for (const name of ['exp', 'nbf', 'iat']) requireTime(name, claims[name]);
  if (claims.cnf !== undefined) {
    throw invalidToken('It is bound to a key of its sender, which this server cannot check.');
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
function requireTime(name: string, claim: unknown): void {
  if (claim === undefined) return;
  if (typeof claim === 'number' && claim >= 0 && claim <= SECONDS_MAX) return;
  throw invalidToken(`Its ${name} is not a time in seconds since 1970.`);
}

/** The end of the year 9999. A later time is a mistake, such as milliseconds. */
const SECONDS_MAX = 253_402_300_799;

function nameIn(claim: unknown): string | undefined {
  if (typeof claim !== 'string' || claim === '') return undefined;
  if (claim.length > NAME_LENGTH_MAX) {
    throw invalidToken(`Its subject or client is longer than ${NAME_LENGTH_MAX} characters.`);
  }
  if (hasControlCharacters(claim)) {
    throw invalidToken('Its subject or client has control characters.');
  }
  return claim;
}

/** The names are written to the audit log, which people read line by line, also in a terminal. */
export function hasControlCharacters(name: string): boolean {
  return /\p{C}/u.test(name);
}

/** The audit log keeps names for ever. OpenID Connect allows subjects of 255 characters. */
const NAME_LENGTH_MAX = 1024;

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
