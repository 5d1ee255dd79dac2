/** Verifies signed access tokens (JWT): https://www.rfc-editor.org/rfc/rfc9068 */
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { authenticatedOf, type Verified } from './claims.ts';
import type { KeySource } from './key-set.ts';
import { invalidToken, wrongAudience } from './refusal.ts';

export interface JwtRequirements {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly skewSeconds: number;
  readonly now: () => number;
}

/** The algorithms that an issuer may use. All have public keys, so this server cannot sign tokens. */
export const ISSUER_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/**
 * All keys come from `source`. The server ignores keys and addresses of keys in the token (`jku`,
 * `jwk`, `x5u`, `x5c`). Rejects with a FhirError.
 */
export async function verifyJwt(
  token: string,
  source: KeySource,
  requirements: JwtRequirements,
): Promise<Verified> {
  try {
    return await verifyWith(source, token, requirements);
  } catch (error) {
    if (!mayBeNewKey(error)) throw refusalOf(error);
  }
  await source.refresh();
  try {
    return await verifyWith(source, token, requirements);
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The issuer that a token claims, not verified. Undefined if the token is not a JWT. */
export function claimedIssuer(token: string): { readonly issuer: unknown } | undefined {
  try {
    if (decodeProtectedHeader(token).alg === undefined) return undefined;
    return { issuer: decodeJwt(token).iss };
  } catch {
    return undefined;
  }
}

async function verifyWith(
  source: KeySource,
  token: string,
  requirements: JwtRequirements,
): Promise<Verified> {
  const { payload, protectedHeader } = await verifySignature(source, token, requirements);
  if (protectedHeader.typ !== undefined && !isAccessTokenType(protectedHeader.typ)) {
    throw invalidToken('Its type (typ) is not that of an access token.');
  }
  // The server must understand the extensions in `crit`, and supports none.
  if (protectedHeader.crit !== undefined) throw new errors.JOSENotSupported();
  const expiresAtMs = (payload.exp ?? 0) * 1000;
  return {
    authenticated: authenticatedOf(payload),
    untilMs: Math.min(expiresAtMs, requirements.now() + KEPT_MS),
  };
}

/** An issuer may use the same keys for other tokens, such as ID tokens: RFC 8725, section 3.11. */
function isAccessTokenType(type: unknown): boolean {
  return typeof type === 'string' && ACCESS_TOKEN_TYPES.includes(type.toLowerCase());
}

const ACCESS_TOKEN_TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

async function verifySignature(source: KeySource, token: string, requirements: JwtRequirements) {
  const options = {
    issuer: requirements.issuer,
    audience: requirements.audience,
    algorithms: [...requirements.algorithms],
    requiredClaims: ['exp'],
    clockTolerance: requirements.skewSeconds,
    currentDate: new Date(requirements.now()),
  };
  try {
    return await jwtVerify(token, source.keyOf, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // The token does not name its key, so each key is tried.
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

/** Says what is wrong with the token, without any of its content. */
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
  iss: 'Its issuer (iss) is not the one that this server trusts.',
  exp: 'It has no expiry time (exp).',
  nbf: 'It is not valid yet.',
};

const REASONS: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'It has expired.',
  [errors.JOSEAlgNotAllowed.code]: 'Its algorithm is not accepted.',
  [errors.JOSENotSupported.code]: 'It needs a feature that this server does not support.',
  [errors.JWKSNoMatchingKey.code]: 'It is signed with an unknown key.',
  [errors.JWSSignatureVerificationFailed.code]:
    'Its signature is not valid. Check that the issuer that this server trusts signed it.',
};

/** For this time, a token stays valid after its issuer withdraws it. */
const KEPT_MS = 60_000;
