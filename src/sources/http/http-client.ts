/**
 * Sends requests to a service at a limited rate, repeats failed requests after a pause, and turns a
 * failure into a sentence.
 */
import { SourceError } from '../../directory/record/source.ts';
import { printable } from '../text/source-text.ts';
import { ConnectionFault, chunksOf, reasonIn } from './answer-body.ts';
import {
  type Answer,
  type Ask,
  againLater,
  type HttpClient,
  type HttpClientOptions,
} from './http-options.ts';

/** With the pauses between them, this takes about a minute: enough for a server to restart. */
const ATTEMPTS_MAX = 7;
/** A failed name look-up can be a short fault of the resolver, so there is a second attempt. */
const ATTEMPTS_MAX_IN_DOUBT = 2;
const PAUSE_MS_FIRST = 1000;
const PAUSE_MS_MAX = 60_000;

/** If the service requests a longer pause, the work ends. */
const RETRY_AFTER_MS_MAX = 600_000;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { now, sleep, random, stopped, secret } = options;
  const { work } = options.wording;
  const intervalMs = 1000 / options.requestsPerSecond;
  let nextMs = Number.NEGATIVE_INFINITY;
  let requests = 0;
  let hasAnswered = false;

  const attempt = async <T>(ask: Ask, read: (answer: Answer) => Promise<T>) => {
    const early = nextMs - now();
    if (early > 0) await sleep(early, stopped);
    stopped.throwIfAborted();
    nextMs = now() + intervalMs;
    requests += 1;
    return await sendRequest(ask, read, options);
  };

  const askAgain = async <T>(ask: Ask, read: (answer: Answer) => Promise<T>) => {
    const name = ask.name ?? ask.url;
    for (let attempts = 1; ; attempts++) {
      const outcome: Outcome<T> = await attempt(ask, read);
      if ('value' in outcome) {
        hasAnswered = true;
        return outcome.value;
      }
      const { trouble, retryAfter, fault } = outcome;
      hasAnswered ||= fault === undefined;
      const isInDoubt = !hasAnswered && WRONG_ADDRESS.test(fault ?? '');
      const attemptsMax = isInDoubt ? ATTEMPTS_MAX_IN_DOUBT : ATTEMPTS_MAX;
      const pauseMs = Math.max(
        Math.min(PAUSE_MS_FIRST * 2 ** (attempts - 1), PAUSE_MS_MAX) * (0.5 + random() / 2),
        retryAfterMs(retryAfter, now()),
      );
      if (attempts === attemptsMax || pauseMs > RETRY_AFTER_MS_MAX) {
        const ending =
          pauseMs > RETRY_AFTER_MS_MAX
            ? `it requests a pause of ${Math.ceil(pauseMs / 60_000)} minutes`
            : `the ${work} tried ${attempts} times`;
        const kept = ask.isKept === true ? ': it continues from here' : '';
        const again = `${againLater(options.wording)}${kept}`;
        throw new SourceError(
          `${name} ${trouble}; ${ending}. ${isInDoubt ? 'Check the address' : again}.`,
          pauseMs > RETRY_AFTER_MS_MAX ? pauseMs : undefined,
        );
      }
      options.onPause(
        withoutSecret(
          secret,
          `${name} ${trouble}. Trying again in ${Math.ceil(pauseMs / 1000)} s.`,
        ),
      );
      await sleep(pauseMs, stopped);
    }
  };

  return {
    get requests() {
      return requests;
    },
    async ask(ask, read) {
      try {
        return await askAgain(ask, read);
      } catch (error) {
        // A message can contain the secret because a service repeats the address in its answer.
        if (!(error instanceof SourceError)) throw error;
        throw new SourceError(withoutSecret(secret, error.message), error.pauseMs);
      }
    },
  };
}

/** The host does not exist, or does not use TLS on that port. */
const WRONG_ADDRESS = /^(ENOTFOUND|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/;

/** Reads seconds or a date; 0 for any other value. */
function retryAfterMs(value: string | null, nowMs: number): number {
  if (value === null) return 0;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : date - nowMs;
}

/** `trouble` follows the name of the service in a sentence. */
type Outcome<T> =
  | { readonly value: T }
  | {
      readonly trouble: string;
      readonly retryAfter: string | null;
      /** The error code of the connection; absent if the service answered. */
      readonly fault?: string;
    };

/** Too many requests, and the answers of proxies and servers that are starting or overloaded. */
const PASSING = new Set([429, 502, 503, 504]);

/** Returns a trouble that can pass. Throws a SourceError for any other. */
async function sendRequest<T>(
  ask: Ask,
  read: (answer: Answer) => Promise<T>,
  options: HttpClientOptions,
): Promise<Outcome<T>> {
  const { stopped, userAgent, wording } = options;
  const name = ask.name ?? ask.url;
  const limits = createTimeLimits(options.timeoutMs, ask.answerMsMax);
  try {
    const response = await options
      .fetch(ask.url, {
        headers: {
          Accept: ask.accept,
          'User-Agent': userAgent,
          ...options.headers,
          ...ask.headers?.(),
        },
        redirect: 'manual',
        signal: AbortSignal.any([stopped, limits.signal]),
      })
      .catch((error) => {
        throw new ConnectionFault(error);
      });
    const { status, headers } = response;
    const chunks = chunksOf(response, limits.heard);
    if (status === 200 || ask.taken?.includes(status) === true) {
      return { value: await read({ status, headers, chunks }) };
    }
    const reason = printable(withoutSecret(options.secret, await reasonIn(name, chunks)));
    const trouble = `answers ${status}${reason === '' ? '' : ` ("${reason}")`}`;
    if (PASSING.has(status)) return { trouble, retryAfter: headers.get('retry-after') };
    if (status >= 300 && status < 400) throw redirected(ask, headers, options);
    const remedy = wording.remedyOf(status) || (status >= 500 ? `${againLater(wording)}.` : '');
    throw new SourceError(`${name} ${trouble}. ${remedy}`.trimEnd());
  } catch (error) {
    stopped.throwIfAborted();
    if (!(error instanceof ConnectionFault)) throw error;
    if (CERTIFICATE.test(error.code)) {
      throw new SourceError(
        `The certificate of ${name} is not trusted (${error.code}). Check it, or name the file ` +
          'with the certificate of its authority in NODE_EXTRA_CA_CERTS.',
      );
    }
    const reason = limits.exceeded ?? error.reason;
    if (reason === BAD_PORT) {
      throw new SourceError(
        `${name} cannot be read (${reason}): the port is reserved for another ` +
          'protocol. Check the address.',
      );
    }
    return { trouble: `cannot be read (${reason})`, retryAfter: null, fault: error.code };
  } finally {
    // Drops the rest of a body that was not read completely.
    limits.end();
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/** The message of `fetch` for a port that its standard forbids. The error has no code. */
const BAD_PORT = 'bad port';

/** Aborts when no data has arrived for a time, when the whole answer takes too long, and at the end. */
function createTimeLimits(silenceMsMax: number, answerMsMax: number | undefined) {
  const controller = new AbortController();
  let isOver = false;
  let exceeded: string | undefined;
  const limit = (ms: number, reason: string) =>
    setTimeout(() => {
      exceeded = reason;
      controller.abort();
    }, ms);
  const silence = limit(silenceMsMax, 'no data arrived in time');
  const whole =
    answerMsMax === undefined ? undefined : limit(answerMsMax, 'the answer is too slow');
  return {
    signal: controller.signal,
    get exceeded() {
      return exceeded;
    },
    heard: () => {
      if (!isOver) silence.refresh();
    },
    end: () => {
      isOver = true;
      clearTimeout(silence);
      clearTimeout(whole);
      controller.abort();
    },
  };
}

/** An address without a name can be shown completely. The address of a download can have a key. */
function redirected(
  { name, url }: Ask,
  headers: Headers,
  { secret, wording }: HttpClientOptions,
): SourceError {
  const location = headers.get('location') ?? 'nowhere';
  const target = name === undefined ? location : (URL.parse(location, url)?.origin ?? 'nowhere');
  return new SourceError(
    `${name ?? url} redirects to ${printable(withoutSecret(secret, target))}. The ${wording.work} ` +
      'does not follow redirects. Give the address that answers without a redirect.',
  );
}

/** Do this before a text is cut, because a part of the secret would remain. */
function withoutSecret(secret: string | undefined, text: string): string {
  return secret === undefined ? text : text.replaceAll(secret, '***');
}
