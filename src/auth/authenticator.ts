/** Who is asking: the Authorization header of a request checked, and remembered for a while. */
import { createLocalJWKSet } from 'jose';
import { bearerTokenOf } from './bearer-token.ts';
import type { Authenticated } from './claims.ts';
import { createIntrospection, type Introspection, readSecret } from './introspection.ts';
import { createJwksFile, readKeys } from './jwks-file.ts';
import { createJwksUrl } from './jwks-url.ts';
import { claimedIssuer, ISSUER_ALGORITHMS, verifyJwt } from './jwt.ts';
import type { KeySource } from './key-set.ts';
import { createOutgoing, type Fetch } from './outgoing.ts';
import { OWN_KEY_ALGORITHM, type OwnPublicKey } from './own-key.ts';
import { invalidToken } from './refusal.ts';
import { type AuthSettings, usesOwnKey } from './settings.ts';
import { createTokenCache, hashOf } from './token-cache.ts';
import type { Verified, Verify } from './verifier.ts';

export interface Authenticator {
  /**
   * At once where the token is known already. Throws or rejects with a FhirError:
   * `unauthorized` with its challenge. Rejects, with Retry-After, with `unavailable` while the
   * server cannot check tokens, and with `throttled` while it checks too many tokens from this
   * `address`.
   */
  authenticate(header: string | undefined, address: string): Authenticated | Promise<Authenticated>;
  /**
   * Forgets what it knows of tokens; fetches or reads keys and secrets again. Never rejects. Once it
   * has resolved, a key that was withdrawn before counts no more, if the issuer could be asked.
   */
  reload(): Promise<void>;
}

export interface AuthSurroundings {
  /** The public base URL: what tokens are for where no setting says so. */
  readonly audienceDefault: string;
  /** The installation's own; needed where `usesOwnKey` says so, and not looked at elsewhere. */
  readonly ownKey?: OwnPublicKey | undefined;
  /** Told, in one line for the log, what keeps keys or introspection from working. */
  readonly onProblem: (problem: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly fetch?: Fetch;
}

/** Throws an `AuthError` where a file that it needs cannot be used. */
export function createAuthenticator(
  settings: AuthSettings,
  surroundings: AuthSurroundings,
): Authenticator {
  const { now = Date.now } = surroundings;
  const { verify, reload } = createVerifiers(settings, { ...surroundings, now });
  const known = createTokenCache<Authenticated>(now);
  const pending = new Map<string, Promise<Authenticated>>();
  let generation = 0;

  /** What is checked now, against what is known now, is not remembered either. */
  const forget = (): void => {
    generation += 1;
    known.clear();
    pending.clear();
  };
  /** Checks a token once, however many requests wait for it. */
  const check = (token: string, key: string, address: string): Promise<Authenticated> => {
    const waiting = pending.get(key);
    if (waiting !== undefined) return waiting;
    const begun = generation;
    const checking = verify(token, address)
      .then(({ authenticated, untilMs }) => {
        if (generation === begun) known.set(key, authenticated, untilMs);
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
      return known.get(key) ?? check(token, key, address);
    },
    async reload() {
      forget();
      await reload();
      // In the meantime the old keys went on.
      forget();
    },
  };
}

interface Verifiers {
  readonly verify: Verify;
  reload(): Promise<void>;
}

/**
 * A token that says to be ours is checked with our key, other JWTs with the issuer's; the issuer is
 * asked about the rest, and about JWTs too where its keys are not known.
 */
function createVerifiers(
  settings: AuthSettings,
  surroundings: AuthSurroundings & { readonly now: () => number },
): Verifiers {
  const { audienceDefault, ownKey, now } = surroundings;
  const { issuer, audience = audienceDefault, skewSeconds } = settings;
  const keys = keySourceOf(settings, surroundings);
  const introspection = introspectionOf(settings, surroundings);
  const own = usesOwnKey(settings) ? ownVerify(ownKey, skewSeconds, now) : undefined;
  const ofIssuer: Verify | undefined =
    keys === undefined || issuer === undefined
      ? undefined
      : (token) => {
          const algorithms = ISSUER_ALGORITHMS;
          return verifyJwt(token, keys, { issuer, audience, algorithms, skewSeconds, now });
        };

  return {
    async verify(token, address): Promise<Verified> {
      const claimed = claimedIssuer(token);
      if (own !== undefined && claimed !== undefined && claimed.issuer === ownKey?.issuer) {
        return own(token, address);
      }
      const jwtVerify = ofIssuer ?? introspection?.verify ?? own;
      const chosen = claimed === undefined ? introspection?.verify : jwtVerify;
      if (chosen === undefined) throw invalidToken('It is malformed.');
      return chosen(token, address);
    },
    async reload() {
      introspection?.reload();
      await keys?.reload();
    },
  };
}

/** Throws an `AuthError` where a file that the settings name cannot be used. */
export function demandAuthFiles({ jwksFile, introspectionSecretFile }: AuthSettings): void {
  if (jwksFile !== undefined) readKeys(jwksFile);
  if (introspectionSecretFile !== undefined) readSecret(introspectionSecretFile);
}

function keySourceOf(
  { jwksUrl, jwksFile }: AuthSettings,
  surroundings: AuthSurroundings & { readonly now: () => number },
): KeySource | undefined {
  const { now, onProblem, fetch = globalThis.fetch } = surroundings;
  if (jwksFile !== undefined) return createJwksFile(jwksFile, { now, onProblem });
  if (jwksUrl === undefined) return undefined;
  return createJwksUrl(jwksUrl, { now, onProblem, fetch: createOutgoing(fetch) });
}

function introspectionOf(
  settings: AuthSettings,
  surroundings: AuthSurroundings & { readonly now: () => number },
): Introspection | undefined {
  const { introspectionUrl: url, introspectionClient: client } = settings;
  const { introspectionSecretFile: secretFile, issuer, skewSeconds } = settings;
  if (url === undefined || client === undefined || secretFile === undefined) return undefined;
  const { audienceDefault, now, onProblem, fetch = globalThis.fetch } = surroundings;
  return createIntrospection({
    url,
    client,
    secretFile,
    issuer,
    audience: settings.audience ?? audienceDefault,
    skewSeconds,
    now,
    fetch: createOutgoing(fetch),
    onProblem,
  });
}

function ownVerify(key: OwnPublicKey | undefined, skewSeconds: number, now: () => number): Verify {
  if (key === undefined) throw new Error('the own key counts, and was not given');
  const { issuer, publicKey } = key;
  const keys = createLocalJWKSet({ keys: [publicKey] });
  const source: KeySource = {
    current: () => keys,
    renewed: async () => undefined,
    reload: async () => undefined,
  };
  const algorithms = [OWN_KEY_ALGORITHM];
  return (token) =>
    verifyJwt(token, source, { issuer, audience: issuer, algorithms, skewSeconds, now });
}
