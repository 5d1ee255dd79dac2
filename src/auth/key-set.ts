/** Reads the usable public keys of a JWK set: https://www.rfc-editor.org/rfc/rfc7517 */
import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
  type LocalJWKSet,
} from 'jose';
import type { Fetch } from './outgoing.ts';
import { cannotCheck } from './refusal.ts';
import { AuthError, messageOf } from './settings.ts';
import { textOfFile, type WatchOptions, watchFile } from './watched-file.ts';

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
      ...(typeof kid === 'string' && { kid }),
      ...(typeof alg === 'string' && { alg }),
      ...(Array.isArray(operations) && { key_ops: operations.map(String) }),
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

/** Throws an `AuthError` if the file has no usable keys at the start. Later, the known keys stay. */
export function createJwksFile(file: string, options: WatchOptions): KeySource {
  const keys = watchFile(file, readKeys, options);
  return {
    // Only tokens that are not cached need keys.
    keyOf: (header, token) => keys.current()(header, token),
    refresh: async () => keys.reload(),
    reload: async () => keys.reload(),
  };
}

/** Throws an `AuthError` if the file cannot be read, or has no usable key. */
export function readKeys(file: string): LocalJWKSet {
  return createLocalJWKSet(readKeySet(textOfFile(file), file));
}

export interface JwksUrlOptions {
  readonly now: () => number;
  readonly fetch: Fetch;
  /** Receives one line each time the server cannot fetch the keys. */
  readonly onProblem: (problem: string) => void;
}

export function createJwksUrl(url: string, { now, fetch, onProblem }: JwksUrlOptions): KeySource {
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;

  /** Fetches the keys, without those that are not usable. */
  const fetchUsable = async (): Promise<Response> => {
    try {
      const response = await fetch(url, { headers: { Accept: 'application/json' } });
      const text = await response.text();
      if (response.status !== 200) {
        throw new Error(`${url}: the answer has status ${response.status}`);
      }
      const keys = readKeySet(text, url);
      fetchedAt = now();
      failedAt = Number.NEGATIVE_INFINITY;
      return Response.json(keys);
    } catch (error) {
      failedAt = now();
      onProblem(`Cannot fetch keys. ${messageOf(error)}`);
      throw error;
    }
  };
  // jose drops expired keys, and fetches as often as it is asked after a failure. So its keys never
  // expire, and this module decides when to fetch.
  const keys = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
    [customFetch]: fetchUsable,
  });
  /** Fetches once for all callers. A failure is reported already, and the known keys stay. */
  const fetchKeys = (): Promise<void> => keys.reload().catch(() => {});
  const hasKeys = () => fetchedAt > Number.NEGATIVE_INFINITY;
  const mayRetry = () => now() - failedAt >= (hasKeys() ? COOLDOWN_MS : RETRY_MS);

  return {
    async keyOf(header, token) {
      if (now() - fetchedAt >= FRESH_MS && mayRetry()) {
        const isFailing = failedAt > fetchedAt;
        const fetched = fetchKeys();
        // After a failure, requests wait only if there are no keys.
        if (!hasKeys() || !isFailing) await fetched;
      }
      if (!hasKeys()) throw cannotCheck();
      return await keys(header, token);
    },
    async refresh() {
      const isDue = now() - fetchedAt >= COOLDOWN_MS && mayRetry();
      // A fetch that has begun may bring the key.
      if (isDue || keys.reloading) await fetchKeys();
    },
    async reload() {
      // A fetch that has begun may bring a key that the issuer has withdrawn since.
      if (keys.reloading) await fetchKeys();
      await fetchKeys();
    },
  };
}

/** For this time, a key stays valid after the issuer withdraws it. */
const FRESH_MS = 600_000;

/**
 * Anybody can write a token with an unknown key, so such tokens do not cause more fetches. The
 * same pause follows a failure.
 */
const COOLDOWN_MS = 30_000;

/** The pause after a failure while there are no keys, and the server accepts no token. */
const RETRY_MS = 5000;
