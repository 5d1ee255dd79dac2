/** Opaque tokens: their issuer is asked what they are. https://www.rfc-editor.org/rfc/rfc7662 */
import { readFileSync } from 'node:fs';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  type ClientAuth,
  customFetch,
  type IntrospectionResponse,
  introspectionRequest,
  processIntrospectionResponse,
} from 'oauth4webapi';
import { AuthError, messageOf } from './auth-error.ts';
import { authenticatedOf } from './claims.ts';
import type { Fetch } from './outgoing.ts';
import { cannotCheck, invalidToken, tooManyChecks, wrongAudience } from './refusal.ts';
import { createTokenCache, hashOf } from './token-cache.ts';
import type { Verify } from './verifier.ts';

export interface IntrospectionOptions {
  readonly url: string;
  readonly client: string;
  readonly secretFile: string;
  /** Checked where the answer names one, and one is configured. */
  readonly issuer: string | undefined;
  /** Checked where the answer names some. */
  readonly audience: string;
  readonly skewSeconds: number;
  readonly now: () => number;
  readonly fetch: Fetch;
  /** Told, in one line, that the issuer could not be asked; at most every half minute. */
  readonly onProblem: (problem: string) => void;
}

export interface Introspection {
  readonly verify: Verify;
  /** Reads the secret again. */
  reload(): void;
}

/** Throws an `AuthError` where the secret cannot be read. */
export function createIntrospection(options: IntrospectionOptions): Introspection {
  const { url, secretFile, now, onProblem } = options;
  let secret = readSecret(secretFile);
  const asking = createShares();
  let toldAt = Number.NEGATIVE_INFINITY;
  const refused = createTokenCache<true>(now);

  const tell = (problem: string): void => {
    if (now() - toldAt < TELL_EVERY_MS) return;
    toldAt = now();
    onProblem(problem);
  };
  /** Whatever goes wrong in asking, the token does not count: nobody has vouched for it. */
  const ask = async (token: string, address: string): Promise<IntrospectionResponse> => {
    if (asking.isFull()) {
      tell(`Cannot check tokens. ${url}: more than ${ASKING_MAX} requests wait for it.`);
      throw cannotCheck();
    }
    if (!asking.take(address)) throw tooManyChecks();
    try {
      return await introspect(token, secret, options);
    } catch (error) {
      const reason = messageOf(error);
      tell(`Cannot check tokens. ${reason.startsWith(url) ? reason : `${url}: ${reason}`}`);
      throw cannotCheck();
    } finally {
      asking.giveBack(address);
    }
  };

  return {
    async verify(token, address) {
      const key = hashOf(token);
      if (refused.get(key)) throw notActive();
      const answer = await ask(token, address);
      if (!answer.active) {
        refused.set(key, true, now() + KEPT_MS);
        throw notActive();
      }
      demandValid(answer, options);
      const expiresAtMs = (answer.exp ?? Number.POSITIVE_INFINITY) * 1000;
      return {
        authenticated: authenticatedOf({ ...answer }),
        untilMs: Math.min(expiresAtMs, now() + KEPT_MS),
      };
    },
    reload() {
      try {
        secret = readSecret(secretFile);
        refused.clear();
      } catch (error) {
        onProblem(`${messageOf(error)} The known one goes on.`);
      }
    },
  };
}

/** Limits the requests that wait for the issuer, in total and for each client address. */
function createShares() {
  const taken = new Map<string, number>();
  let free = ASKING_MAX;
  return {
    isFull: () => free === 0,
    /**
     * An address may use as many places as are still free. One address alone can therefore
     * use half of the places, and another address still gets some.
     */
    take(address: string): boolean {
      const held = taken.get(address) ?? 0;
      if (held >= free) return false;
      taken.set(address, held + 1);
      free -= 1;
      return true;
    },
    giveBack(address: string): void {
      const held = taken.get(address)! - 1;
      if (held === 0) taken.delete(address);
      else taken.set(address, held);
      free += 1;
    },
  };
}

async function introspect(
  token: string,
  secret: string,
  { url, client: id, issuer, fetch }: IntrospectionOptions,
): Promise<IntrospectionResponse> {
  const server: AuthorizationServer = {
    issuer: issuer ?? new URL(url).origin,
    introspection_endpoint: url,
  };
  const client = { client_id: id };
  const response = await introspectionRequest(server, client, basicAuthentication(secret), token, {
    additionalParameters: { token_type_hint: 'access_token' },
    [customFetch]: (address, { method, headers, body }) =>
      fetch(address, { method, headers, body }),
    // The settings allow plain HTTP to this machine only.
    [allowInsecureRequests]: true,
  });
  if (response.status !== 200) throw new Error(refusalOf(url, response.status));
  return processIntrospectionResponse(server, client, response);
}

function refusalOf(url: string, status: number): string {
  const remedy =
    status === 401 || status === 403
      ? ' Check auth.introspectionClient and the file of auth.introspectionSecretFile.'
      : '';
  return `${url}: it answers ${status}.${remedy}`;
}

/**
 * RFC 6749, section 2.3.1, without escapes that nobody needs: issuers that do not undo them then
 * still know a secret such as a UUID.
 */
function basicAuthentication(secret: string): ClientAuth {
  const escaped = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');
  return (_server, { client_id: id }, _body, headers) => {
    const credentials = Buffer.from(`${escaped(id)}:${escaped(secret)}`).toString('base64');
    headers.set('authorization', `Basic ${credentials}`);
  };
}

/** An issuer that answers for several services says for which a token is, and one may forget to look. */
function demandValid(
  answer: IntrospectionResponse,
  { issuer, audience, skewSeconds, now }: IntrospectionOptions,
): void {
  const { iss, aud, exp, nbf, token_type: type } = answer;
  const nowSeconds = now() / 1000;
  if (exp !== undefined && !(exp > nowSeconds - skewSeconds)) throw invalidToken('It has expired.');
  if (nbf !== undefined && !(nbf <= nowSeconds + skewSeconds)) {
    throw invalidToken('It does not hold yet.');
  }
  if (iss !== undefined && issuer !== undefined && iss !== issuer) {
    throw invalidToken('It is not of the issuer that is trusted here.');
  }
  if (aud !== undefined && ![aud].flat().includes(audience)) {
    throw wrongAudience(aud);
  }
  if (type !== undefined && String(type).toLowerCase() !== 'bearer') {
    throw invalidToken('It is no bearer token.');
  }
}

function notActive() {
  return invalidToken('Its issuer says that it does not hold, or not any more.');
}

/** A line break at the end belongs to the file, not to the secret. */
export function readSecret(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new AuthError(`Cannot read ${file}: ${messageOf(error)}.`);
  }
  if (text === '') throw new AuthError(`${file} is empty: it should hold the client's secret.`);
  return text;
}

/** So long a token that was withdrawn may still count. */
const KEPT_MS = 30_000;

/** A slow issuer must not gather requests here, nor be flooded by whoever makes tokens up. */
const ASKING_MAX = 64;

const TELL_EVERY_MS = 30_000;
