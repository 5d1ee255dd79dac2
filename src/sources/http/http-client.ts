/** Sends requests to a service at a limited rate, and repeats failed requests after a pause. */
import { SourceError } from '../../directory/import/source.ts';
import {
  type Answer,
  type Ask,
  againLater,
  type HttpClient,
  type HttpClientOptions,
} from './http-options.ts';
import { type Outcome, sendRequest, withoutSecret } from './send-request.ts';

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
