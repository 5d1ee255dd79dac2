/** Sends one request, and turns a failure into a sentence. */
import { SourceError } from '../../directory/import/source.ts';
import { printable } from '../release-file/source-text.ts';
import { chunksOf, reasonIn } from './answer-body.ts';
import { ConnectionFault } from './connection-fault.ts';
import { type Answer, type Ask, againLater, type HttpClientOptions } from './http-options.ts';

/** `trouble` follows the name of the service in a sentence. */
export type Outcome<T> =
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
export async function sendRequest<T>(
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
export function withoutSecret(secret: string | undefined, text: string): string {
  return secret === undefined ? text : text.replaceAll(secret, '***');
}
