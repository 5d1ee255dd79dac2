/** Checks the Authorization header of a request, and caches the results for a while. */
import { createLocalJWKSet } from 'jose';
import { networkOf } from '../fhir/http/client-network.ts';
import type { Authorize } from '../fhir/service/interaction.ts';
import { after } from '../fhir/service/run-interaction.ts';
import type { Authenticated, Verify } from './claims.ts';
import { createIntrospection, type Introspection, readSecret } from './introspection.ts';
import { claimedIssuer, ISSUER_ALGORITHMS, verifyJwt } from './jwt.ts';
import { createJwksFile, createJwksUrl, type KeySource, readKeys } from './key-set.ts';
import { createOutgoing, type Fetch } from './outgoing.ts';
import { OWN_KEY_ALGORITHM, type OwnPublicKey } from './own-key.ts';
import { invalidToken, lackingScope, missingToken } from './refusal.ts';
import { allows } from './scopes.ts';
import { type AuthSettings, usesOwnKey } from './settings.ts';
import { createTokenCache, hashOf } from './token-cache.ts';

export interface Authenticator {
  /**
   * Returns at once if the token is in the cache. Throws or rejects with a FhirError:
   * `unauthorized` with its challenge. Rejects, with Retry-After, with `unavailable` while the
   * server cannot check tokens, and with `throttled` while it checks too many tokens from this
   * `address`.
   */
  authenticate(header: string | undefined, address: string): Authenticated | Promise<Authenticated>;
  /**
   * Clears the cache of tokens, and fetches or reads keys and secrets again. Never rejects. When it
   * has resolved, and the issuer has answered, the server rejects tokens of withdrawn keys.
   */
  reload(): Promise<void>;
  /** Accepts the tokens of these keys instead of those of the key of this installation. */
  useOwnKeys(keys: readonly OwnPublicKey[]): void;
}

export interface AuthSurroundings {
  /** The public base URL: the audience of tokens if no setting names one. */
  readonly audienceDefault: string;
  /** The key of the installation. Used, and then required, only if `usesOwnKey` returns true. */
  readonly ownKey?: OwnPublicKey | undefined;
  /** Receives one line for the log if keys or introspection do not work. */
  readonly onProblem: (problem: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly fetch?: Fetch;
}

/** Throws an `AuthError` if it cannot use a file that the settings name. */
export function createAuthenticator(
  settings: AuthSettings,
  {
    audienceDefault,
    ownKey,
    onProblem,
    now = Date.now,
    fetch = globalThis.fetch,
  }: AuthSurroundings,
): Authenticator {
  const { audience = audienceDefault } = settings;
  const asking = { audience, now, onProblem, fetch: createOutgoing(fetch) };
  const keys = keySourceOf(settings, asking);
  const introspection = introspectionOf(settings, asking);
  const own = usesOwnKey(settings) ? createOwnVerifiers(ownKey, now) : undefined;
  const verify = verifierOf(ofIssuer(settings, keys, asking), introspection?.verify, own);
  const cache = createTokenCache<Authenticated>(now);
  const pending = new Map<string, Promise<Authenticated>>();
  let generation = 0;

  /** Clears the cache. Checks in progress use the old keys, so their results are not cached. */
  const clear = (): void => {
    generation += 1;
    cache.clear();
    pending.clear();
  };
  /** Checks a token once for all requests that wait for it. */
  const check = (token: string, key: string, address: string): Promise<Authenticated> => {
    const waiting = pending.get(key);
    if (waiting !== undefined) return waiting;
    const begun = generation;
    const checking = verify(token, address)
      .then(({ authenticated, untilMs }) => {
        if (generation === begun) cache.set(key, authenticated, untilMs);
        return authenticated;
      })
      .finally(() => {
        if (generation === begun) pending.delete(key);
      });
    pending.set(key, checking);
    return checking;
  };

  return {
    authenticate(header, address) {
      const token = bearerTokenOf(header);
      const key = hashOf(token);
      return cache.get(key) ?? check(token, key, address);
    },
    async reload() {
      clear();
      introspection?.reload();
      await keys?.reload();
      // Until now, the server has checked tokens against the old keys.
      clear();
    },
    useOwnKeys(ownKeys) {
      own?.use(ownKeys);
      clear();
    },
  };
}

/**
 * A token that names an own key's installation as its issuer is checked with that key. Other JWTs are
 * checked with the issuer's keys. All other tokens, and JWTs if no keys are configured, are checked
 * by introspection.
 */
function verifierOf(
  issued: Verify | undefined,
  introspected: Verify | undefined,
  own: OwnVerifiers | undefined,
): Verify {
  return async (token, address) => {
    const claimed = claimedIssuer(token);
    const ownVerify = own?.of(claimed?.issuer);
    if (ownVerify !== undefined) return ownVerify(token, address);
    const chosen = claimed === undefined ? introspected : (issued ?? introspected ?? own?.first());
    if (chosen === undefined) throw invalidToken('It is malformed.');
    return chosen(token, address);
  };
}

/** What asks an issuer about keys and tokens. */
interface Asking extends Required<Pick<AuthSurroundings, 'now' | 'onProblem' | 'fetch'>> {
  readonly audience: string;
}

function ofIssuer(
  { issuer, skewSeconds }: AuthSettings,
  keys: KeySource | undefined,
  { audience, now }: Asking,
): Verify | undefined {
  if (keys === undefined || issuer === undefined) return undefined;
  const requirements = { issuer, audience, algorithms: ISSUER_ALGORITHMS, skewSeconds, now };
  return (token) => verifyJwt(token, keys, requirements);
}

/** Throws an `AuthError` if the server cannot use a file that the settings name. */
export function requireAuthFiles({ jwksFile, introspectionSecretFile }: AuthSettings): void {
  if (jwksFile !== undefined) readKeys(jwksFile);
  if (introspectionSecretFile !== undefined) readSecret(introspectionSecretFile);
}

function keySourceOf({ jwksUrl, jwksFile }: AuthSettings, asking: Asking): KeySource | undefined {
  if (jwksFile !== undefined) return createJwksFile(jwksFile, asking);
  return jwksUrl === undefined ? undefined : createJwksUrl(jwksUrl, asking);
}

function introspectionOf(settings: AuthSettings, asking: Asking): Introspection | undefined {
  const { introspectionUrl: url, introspectionClient: client, issuer, skewSeconds } = settings;
  const { introspectionSecretFile: secretFile } = settings;
  if (url === undefined || client === undefined || secretFile === undefined) return undefined;
  return createIntrospection({ url, client, secretFile, issuer, skewSeconds, ...asking });
}

/** The verifiers of tokens that an installation signed, by its issuer. */
interface OwnVerifiers {
  /** Undefined if no own key has this issuer. */
  of(issuer: unknown): Verify | undefined;
  /** For a token of an unknown issuer: it says what is wrong with the token. */
  first(): Verify | undefined;
  /** Accepts the tokens of these keys instead of those of the keys before. */
  use(keys: readonly OwnPublicKey[]): void;
}

function createOwnVerifiers(key: OwnPublicKey | undefined, now: () => number): OwnVerifiers {
  if (key === undefined) throw new Error('the settings require the own key, which is missing');
  const verifierOf = ({ issuer, publicKey }: OwnPublicKey): Verify => {
    const keyOf = createLocalJWKSet({ keys: [publicKey] });
    const source: KeySource = { keyOf, refresh: async () => {}, reload: async () => {} };
    const algorithms = [OWN_KEY_ALGORITHM];
    // The tokens have no start, and the person who makes one chooses how long it is valid.
    const requirements = { issuer, audience: issuer, algorithms, skewSeconds: 0, now };
    return (token) => verifyJwt(token, source, requirements);
  };
  let verifiers = new Map<unknown, Verify>();
  const use = (keys: readonly OwnPublicKey[]) => {
    verifiers = new Map(keys.map((each) => [each.issuer, verifierOf(each)]));
  };
  use([key]);
  return {
    of: (issuer) => verifiers.get(issuer),
    first: () => verifiers.values().next().value,
    use,
  };
}

/**
 * Returns the identity if the token allows the request, at once if the token is in the cache.
 * Throws or rejects with a FhirError, `forbidden` if the token lacks the scope. All addresses of a
 * client's network count as one.
 */
export function createAuthorize({ authenticate }: Pick<Authenticator, 'authenticate'>): Authorize {
  return (authorization, need, address) => {
    return after(authenticate(authorization, networkOf(address)), ({ scopes, identity }) => {
      if (!allows(scopes, need)) throw lackingScope(need);
      return identity;
    });
  };
}

/** Throws a FhirError if there is no token, or if it is not well-formed. */
export function bearerTokenOf(header: string | undefined): string {
  const [, scheme = '', rest = ''] = /^\s*(\S*)(.*)$/s.exec(header ?? '') ?? [];
  // Credentials of another scheme, such as Basic, are not a token.
  if (scheme.toLowerCase() !== 'bearer') throw missingToken();
  const token = rest.trim();
  if (token.length > TOKEN_LENGTH_MAX) throw invalidToken('It is longer than 8 KiB.');
  if (!TOKEN.test(token)) {
    throw invalidToken('The Authorization header must have exactly one well-formed token.');
  }
  return token;
}

/** Tokens of issuers have 1 to 2 KiB. */
const TOKEN_LENGTH_MAX = 8192;

/** `b64token`, which has no comma: two headers, joined by a comma, do not match. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
