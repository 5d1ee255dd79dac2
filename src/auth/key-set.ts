/** Reads the usable public keys of a JWK set: https://www.rfc-editor.org/rfc/rfc7517 */
import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import type { JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose';
import { AuthError } from './auth-error.ts';

/** The keys of an issuer, from a file or from an address. */
export interface KeySource {
  /** Selects the key of a token. Rejects with a FhirError while there are no keys. */
  readonly keyOf: JWTVerifyGetKey;
  /** Looks for newer keys, because none of the known keys has signed a token. */
  refresh(): Promise<void>;
  /** Looks for newer keys at once. Resolves when this has succeeded or failed. */
  reload(): Promise<void>;
}

/**
 * The keys of a JWK set, given as text. Leaves out weak keys and keys of other types; throws an
 * `AuthError` that begins with `origin` if no key remains.
 */
export function readKeySet(text: string, origin: string): JSONWebKeySet {
  const keys = keysIn(text);
  if (keys === undefined) throw new AuthError(`${origin} is not a JWK set.`);
  const usable: JWK[] = [];
  for (const key of keys) {
    const one = usableKey(key);
    if (one === undefined) continue;
    if (usable.length === KEYS_MAX)
      throw new AuthError(`${origin} has more than ${KEYS_MAX} keys.`);
    usable.push(one);
  }
  if (usable.length === 0) {
    throw new AuthError(
      `${origin}: none of its ${keys.length} keys can be used. ` +
        `Use RSA of at least ${RSA_BITS_MIN} bits, EC on P-256, or Ed25519.`,
    );
  }
  return { keys: usable };
}

function keysIn(text: string): unknown[] | undefined {
  try {
    const { keys } = JSON.parse(text);
    return Array.isArray(keys) ? keys : undefined;
  } catch {
    return undefined;
  }
}

/** The public half of a key, with only the properties that select a key. */
function usableKey(jwk: unknown): JWK | undefined {
  if (!isObject(jwk) || (jwk.use !== undefined && jwk.use !== 'sig')) return undefined;
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
    const isStrong =
      (key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS_MIN) ||
      (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') ||
      key.asymmetricKeyType === 'ed25519';
    if (!isStrong) return undefined;
    const { kid, alg, key_ops: operations } = jwk;
    return {
      ...(key.export({ format: 'jwk' }) as JWK),
      ...(typeof kid === 'string' ? { kid } : {}),
      ...(typeof alg === 'string' ? { alg } : {}),
      ...(Array.isArray(operations) ? { key_ops: operations.map(String) } : {}),
    };
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonWebKeyInput['key'] & Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const RSA_BITS_MIN = 2048;

/** A token that names no key is tried against each key. */
const KEYS_MAX = 50;
