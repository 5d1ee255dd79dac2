/** Tokens that prove themselves: signed by a key that we know. https://www.rfc-editor.org/rfc/rfc9068 */
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type LocalJWKSet } from 'jose';
import { authenticatedOf } from './claims.ts';
import type { KeySource } from './key-set.ts';
import { invalidToken, wrongAudience } from './refusal.ts';
import type { Verified } from './verifier.ts';

export interface JwtDemands {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly skewSeconds: number;
  readonly now: () => number;
}

/** What an issuer may sign with: public keys only, so that what checks cannot sign. */
export const ISSUER_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/**
 * Keys come from `source` alone: those that a token names or brings (`jku`, `jwk`, `x5u`, `x5c`)
 * are not looked at. Rejects with a FhirError.
 */
export async function verifyJwt(
  token: string,
  source: KeySource,
  demands: JwtDemands,
): Promise<Verified> {
  const keys = await source.current();
  try {
    return await verifyWith(keys, token, demands);
  } catch (error) {
    if (!mayBeNewKey(error)) throw refusalOf(error);
  }
  const renewed = await source.renewed(keys);
  try {
    return await verifyWith(renewed ?? keys, token, demands);
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The issuer that a token claims to be of, which proves nothing; undefined where it is no JWT. */
export function claimedIssuer(token: string): { readonly issuer: unknown } | undefined {
  try {
    if (decodeProtectedHeader(token).alg === undefined) return undefined;
    return { issuer: decodeJwt(token).iss };
  } catch {
    return undefined;
  }
}

async function verifyWith(
  keys: LocalJWKSet,
  token: string,
  demands: JwtDemands,
): Promise<Verified> {
  const { payload, protectedHeader } = await verifyAgainst(keys, token, demands);
  if (protectedHeader.typ !== undefined && !isAccessTokenType(protectedHeader.typ)) {
    throw invalidToken('It is not an access token, by its typ.');
  }
  // Extensions that one must understand: there are none that we do.
  if (protectedHeader.crit !== undefined) throw new errors.JOSENotSupported();
  const expiresAtMs = (payload.exp ?? 0) * 1000;
  return {
    authenticated: authenticatedOf(payload),
    untilMs: Math.min(expiresAtMs, demands.now() + KEPT_MS),
  };
}

/** The same keys may sign ID tokens, logout tokens and others: RFC 8725, section 3.11. */
function isAccessTokenType(type: unknown): boolean {
  return typeof type === 'string' && ACCESS_TOKEN_TYPES.includes(type.toLowerCase());
}

const ACCESS_TOKEN_TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

async function verifyAgainst(keys: LocalJWKSet, token: string, demands: JwtDemands) {
  const options = {
    issuer: demands.issuer,
    audience: demands.audience,
    algorithms: [...demands.algorithms],
    requiredClaims: ['exp'],
    clockTolerance: demands.skewSeconds,
    currentDate: new Date(demands.now()),
  };
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // It does not say by which: any of them will do.
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function mayBeNewKey(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWSSignatureVerificationFailed
  );
}

/** What is wrong with the token, in words that tell nothing of what it holds. */
function refusalOf(error: unknown): unknown {
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return wrongAudience(error.payload.aud);
    return invalidToken(CLAIM_REASONS[error.claim] ?? MALFORMED);
  }
  if (error instanceof errors.JOSEError) return invalidToken(REASONS[error.code] ?? MALFORMED);
  return error;
}

const MALFORMED = 'It is malformed.';

const CLAIM_REASONS: Readonly<Record<string, string>> = {
  iss: 'It is not of the issuer that is trusted here.',
  exp: 'It does not say until when it holds.',
  nbf: 'It does not hold yet.',
};

const REASONS: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'It has expired.',
  [errors.JOSEAlgNotAllowed.code]: 'Its algorithm is not accepted.',
  [errors.JOSENotSupported.code]: 'It demands what is not supported here.',
  [errors.JWKSNoMatchingKey.code]: 'It is signed with a key that is not known.',
  [errors.JWSSignatureVerificationFailed.code]:
    'Its signature is wrong. Check that the issuer of this server signed it.',
};

/** A token that its issuer has withdrawn since may still count for so long. */
const KEPT_MS = 60_000;
