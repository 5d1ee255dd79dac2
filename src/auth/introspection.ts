/** Introspection: asks the issuer about opaque tokens. https://www.rfc-editor.org/rfc/rfc7662 */
import { authenticatedOf, type Claims, type Verify } from './claims.ts';
import type { Fetch } from './outgoing.ts';
import { cannotCheck, invalidToken, tooManyChecks, wrongAudience } from './refusal.ts';
import { AuthError, messageOf } from './settings.ts';
import { createTokenCache, hashOf } from './token-cache.ts';
import { textOfFile } from './watched-file.ts';

export interface IntrospectionOptions {
  readonly url: string;
  readonly client: string;
  readonly secretFile: string;
  /** If it is set, the issuer that an answer names must equal it. */
  readonly issuer: string | undefined;
  /** The audiences that an answer names must contain it. */
  readonly audience: string;
  readonly skewSeconds: number;
  readonly now: () => number;
  readonly fetch: Fetch;
  /** Receives one line if the server cannot ask the issuer, at most every half minute. */
  readonly onProblem: (problem: string) => void;
}

export interface Introspection {
  readonly verify: Verify;
  /** Reads the secret again. */
  reload(): void;
}

/** Throws an `AuthError` if the secret cannot be read. */
export function createIntrospection(options: IntrospectionOptions): Introspection {
  const { url, secretFile, now, onProblem } = options;
  let secret = readSecret(secretFile);
  const places = createPlaces();
  let reportedAt = Number.NEGATIVE_INFINITY;
  const inactive = createTokenCache<true>(now);

  const report = (problem: string): void => {
    if (now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now();
    onProblem(problem);
  };
  /** Without an answer of the issuer, the server rejects the token. */
  const ask = async (token: string, address: string): Promise<Claims> => {
    if (places.areFull()) {
      report(`Cannot check tokens. ${url}: more than ${PLACES} requests wait for an answer.`);
      throw cannotCheck();
    }
    if (!places.take(address)) throw tooManyChecks();
    try {
      return await introspect(token, secret, options);
    } catch (error) {
      const reason = messageOf(error);
      report(`Cannot check tokens. ${reason.startsWith(url) ? reason : `${url}: ${reason}`}`);
      throw cannotCheck();
    } finally {
      places.release(address);
    }
  };

  const verify: Verify = async (token, address) => {
    const key = hashOf(token);
    if (inactive.get(key)) throw notActive();
    const claims = await ask(token, address);
    if (claims.active !== true) {
      inactive.set(key, true, now() + KEPT_MS);
      throw notActive();
    }
    checkClaims(claims, options);
    const authenticated = authenticatedOf(claims);
    const expiresAtMs = Number(claims.exp ?? Number.POSITIVE_INFINITY) * 1000;
    return { authenticated, untilMs: Math.min(expiresAtMs, now() + KEPT_MS) };
  };

  return {
    verify,
    reload() {
      try {
        secret = readSecret(secretFile);
        inactive.clear();
      } catch (error) {
        onProblem(`${messageOf(error)} The server keeps the secret that it has.`);
      }
    },
  };
}

/** Limits the requests that wait for the issuer, in total and for each client address. */
function createPlaces() {
  const taken = new Map<string, number>();
  let free = PLACES;
  return {
    areFull: () => free === 0,
    /**
     * An address may take as many places as are still free. One address alone can therefore
     * take half of the places, and another address still gets some.
     */
    take(address: string): boolean {
      const held = taken.get(address) ?? 0;
      if (held >= free) return false;
      taken.set(address, held + 1);
      free -= 1;
      return true;
    },
    release(address: string): void {
      const held = taken.get(address)! - 1;
      if (held === 0) taken.delete(address);
      else taken.set(address, held);
      free += 1;
    },
  };
}

/** The issuer's answer, which has `active`, and for an active token its claims. */
async function introspect(
  token: string,
  secret: string,
  { url, client, fetch }: IntrospectionOptions,
): Promise<Claims> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Accept: 'application/json', Authorization: basicCredentials(client, secret) },
    body: new URLSearchParams({ token_type_hint: 'access_token', token }),
  });
  if (response.status !== 200) throw new Error(problemOf(url, response.status));
  const answer: unknown = await response.json();
  if (!isIntrospection(answer)) throw new Error(`${url}: the answer has no "active"`);
  return answer;
}

function isIntrospection(answer: unknown): answer is Claims {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'active' in answer &&
    typeof answer.active === 'boolean'
  );
}

function problemOf(url: string, status: number): string {
  const remedy =
    status === 401 || status === 403
      ? ' Check auth.introspectionClient and the file of auth.introspectionSecretFile.'
      : '';
  return `${url}: the answer has status ${status}.${remedy}`;
}

/**
 * RFC 6749, section 2.3.1, but without escapes that are not necessary: some issuers do not decode
 * them, and still recognise a secret such as a UUID.
 */
function basicCredentials(client: string, secret: string): string {
  const escaped = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');
  const credentials = `${escaped(client)}:${escaped(secret)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Checks what the issuer may leave to the service: the times, the issuer and the audience. */
function checkClaims(
  { iss, aud, exp, nbf, token_type: type }: Claims,
  { issuer, audience, skewSeconds, now }: IntrospectionOptions,
): void {
  const nowSeconds = now() / 1000;
  if (exp !== undefined && !(Number(exp) > nowSeconds - skewSeconds)) {
    throw invalidToken('It has expired.');
  }
  if (nbf !== undefined && !(Number(nbf) <= nowSeconds + skewSeconds)) {
    throw invalidToken('It is not valid yet.');
  }
  if (iss !== undefined && issuer !== undefined && iss !== issuer) {
    throw invalidToken('Its issuer (iss) is not the one that this server trusts.');
  }
  if (aud !== undefined && ![aud].flat().includes(audience)) throw wrongAudience(aud);
  if (type !== undefined && String(type).toLowerCase() !== 'bearer') {
    throw invalidToken('Its type (token_type) is not Bearer.');
  }
}

function notActive() {
  return invalidToken('Its issuer reports that it is not active.');
}

/** Without a line break at the end, which belongs to the file and not to the secret. */
export function readSecret(file: string): string {
  const text = textOfFile(file).replace(/\r?\n$/, '');
  if (text === '') throw new AuthError(`${file} is empty. Write the client's secret to it.`);
  return text;
}

/** For this time, a token stays valid after its issuer withdraws it. */
const KEPT_MS = 30_000;

/** A slow issuer must not collect requests here, and made-up tokens must not flood it. */
const PLACES = 64;

const REPORT_EVERY_MS = 30_000;
