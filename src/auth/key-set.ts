/** An issuer's public keys: those of a JWK set that can be used. https://www.rfc-editor.org/rfc/rfc7517 */
import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import { createLocalJWKSet, type JWK, type LocalJWKSet } from 'jose';
import { AuthError } from './auth-error.ts';

/** Where the keys of an issuer come from. */
export interface KeySource {
  /** The keys that hold. Throws a FhirError while there are none. */
  current(): LocalJWKSet | Promise<LocalJWKSet>;
  /** After a token that none of `known` has signed: other keys, if there are some by now. */
  renewed(known: LocalJWKSet): Promise<LocalJWKSet | undefined>;
  /** Has a look at once; resolves when it has, whether there were new keys or not. */
  reload(): Promise<void>;
}

/**
 * The keys of a JWK set, as text. Keys of other kinds, and weak ones, are left out; throws an
 * `AuthError` that begins with `origin` where none remains.
 */
export function readKeySet(text: string, origin: string): LocalJWKSet {
  const keys = keysIn(text);
  if (keys === undefined) throw new AuthError(`${origin}: this is no JWK set.`);
  const usable = keys.flatMap((key) => usableKey(key) ?? []);
  if (usable.length === 0) {
    throw new AuthError(
      `${origin}: none of its ${keys.length} keys can be used; these can: ` +
        `RSA of at least ${RSA_BITS_MIN} bits, EC on P-256, Ed25519.`,
    );
  }
  if (usable.length > KEYS_MAX) {
    throw new AuthError(`${origin}: more than ${KEYS_MAX} keys.`);
  }
  return createLocalJWKSet({ keys: usable });
}

function keysIn(text: string): unknown[] | undefined {
  try {
    const { keys } = JSON.parse(text);
    return Array.isArray(keys) ? keys : undefined;
  } catch {
    return undefined;
  }
}

/** The public half, with nothing but what choosing a key needs. */
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

/** A token that names no key is tried against each. */
const KEYS_MAX = 50;
