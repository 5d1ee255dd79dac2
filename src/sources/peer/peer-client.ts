/** Sends requests to a peer at a limited rate, and repeats failed requests after a pause. */

import { SourceError } from '../../directory/import/source.ts';
import { printable } from '../release-file/source-text.ts';

export interface PeerClientOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, stopped: AbortSignal) => Promise<void>;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  readonly requestsPerSecond: number;
  /** A connection that sends nothing for this time is closed. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** The bearer token. All requests go to the origin of the peer. */
  readonly token?: string | undefined;
  readonly stopped: AbortSignal;
  /** Called with one line that contains the reason and the length of a pause. */
  readonly onPause: (line: string) => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body while it arrives. If the connection fails, the whole request is repeated. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface Ask {
  readonly url: string;
  readonly accept: string;
  /** The peer answers 304 if its state still has this entity tag. */
  readonly etag?: string | undefined;
  /** Statuses other than 200 that the reader handles. Any other status ends the sync. */
  readonly taken?: readonly number[];
  /** Whether the next sync continues with this request. */
  readonly isKept?: boolean;
}

export interface PeerClient {
  /** Reads an answer. The reader starts again with each attempt. Throws a SourceError. */
  ask<T>(ask: Ask, read: (answer: Answer) => Promise<T>): Promise<T>;
  /** How many requests were sent. */
  readonly requests: number;
}

/** With the pauses between them, this takes about a minute: enough for a server to restart. */
const ATTEMPTS_MAX = 7;
/** A failed name look-up can be a short fault of the resolver, so there is a second attempt. */
const ATTEMPTS_MAX_IN_DOUBT = 2;
const PAUSE_MS_FIRST = 1000;
const PAUSE_MS_MAX = 60_000;

/** If the peer requests a longer pause, the sync ends. */
const RETRY_AFTER_MS_MAX = 600_000;

/** Too many requests, and the answers of proxies and servers that are starting or overloaded. */
const PASSING = new Set([429, 502, 503, 504]);

export function createPeerClient(options: PeerClientOptions): PeerClient {
  const { now, sleep, random, stopped } = options;
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
    return await send(ask, read, options);
  };

  return {
    get requests() {
      return requests;
    },
    async ask(ask, read) {
      for (let attempts = 1; ; attempts++) {
        const outcome = await attempt(ask, read);
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
              : `the sync tried ${attempts} times`;
          const kept = ask.isKept === true ? ': it continues from here' : '';
          const remedy = isInDoubt ? 'Check the address' : `Sync again later${kept}`;
          throw new SourceError(`${ask.url} ${trouble}; ${ending}. ${remedy}.`);
        }
        options.onPause(`${ask.url} ${trouble}. Trying again in ${Math.ceil(pauseMs / 1000)} s.`);
        await sleep(pauseMs, stopped);
      }
    },
  };
}

/** `trouble` follows the address in a sentence. */
type Outcome<T> =
  | { readonly value: T }
  | {
      readonly trouble: string;
      readonly retryAfter: string | null;
      /** The error code of the connection; absent if the peer answered. */
      readonly fault?: string;
    };

async function send<T>(
  ask: Ask,
  read: (answer: Answer) => Promise<T>,
  options: PeerClientOptions,
): Promise<Outcome<T>> {
  const { stopped, token, userAgent } = options;
  const silence = createSilence(options.timeoutMs);
  try {
    const response = await options
      .fetch(ask.url, {
        headers: {
          Accept: ask.accept,
          'User-Agent': userAgent,
          ...(ask.etag !== undefined && { 'If-None-Match': ask.etag }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
        redirect: 'manual',
        signal: AbortSignal.any([stopped, silence.signal]),
      })
      .catch((error) => {
        throw new ConnectionFault(error);
      });
    const { status, headers } = response;
    const chunks = chunksOf(response, silence.heard);
    if (status === 200 || ask.taken?.includes(status) === true) {
      return { value: await read({ status, headers, chunks }) };
    }
    const diagnostics = await diagnosticsOf(ask.url, chunks);
    const trouble = `answers ${status}${diagnostics === '' ? '' : ` ("${diagnostics}")`}`;
    if (PASSING.has(status)) return { trouble, retryAfter: headers.get('retry-after') };
    throw refusal(`${ask.url} ${trouble}`, ask.url, status, headers, token !== undefined);
  } catch (error) {
    stopped.throwIfAborted();
    if (!(error instanceof ConnectionFault)) throw error;
    const reason = silence.signal.aborted ? 'no data arrived in time' : error.reason;
    if (CERTIFICATE.test(error.code)) {
      throw new SourceError(
        `The certificate of ${ask.url} is not trusted (${error.code}). Check it, or name the file ` +
          'with the certificate of its authority in NODE_EXTRA_CA_CERTS.',
      );
    }
    if (reason === BAD_PORT) {
      throw new SourceError(
        `${ask.url} cannot be read (${reason}): the port is reserved for another ` +
          'protocol. Check the address.',
      );
    }
    return { trouble: `cannot be read (${reason})`, retryAfter: null, fault: error.code };
  } finally {
    // Drops the rest of a body that was not read completely.
    silence.end();
  }
}

/** A fault of the connection, and not of the code that reads its bytes. */
class ConnectionFault extends Error {
  readonly reason: string;
  readonly code: string;

  constructor(fault: unknown) {
    super();
    const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    this.code = code;
    this.reason = code || (cause instanceof Error ? cause.message : String(cause));
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/** The message of `fetch` for a port that its standard forbids. The error has no code. */
const BAD_PORT = 'bad port';

/** The host does not exist, or does not use TLS on that port. */
const WRONG_ADDRESS = /^(ENOTFOUND|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/;

/** Aborts when no data has arrived for a time, and at the end. */
function createSilence(timeoutMs: number) {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  return {
    signal: controller.signal,
    heard: () => {
      if (!isOver) timer.refresh();
    },
    end: () => {
      isOver = true;
      clearTimeout(timer);
      controller.abort();
    },
  };
}

async function* chunksOf(
  { body }: Response,
  heard: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  heard();
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await reader.read().catch((error) => {
        throw new ConnectionFault(error);
      });
      if (next.done) return;
      heard();
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads seconds or a date; 0 for any other value. */
function retryAfterMs(value: string | null, nowMs: number): number {
  if (value === null) return 0;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : date - nowMs;
}

function refusal(
  line: string,
  url: string,
  status: number,
  headers: Headers,
  hasToken: boolean,
): SourceError {
  if (status >= 300 && status < 400) {
    const location = printable(headers.get('location') ?? 'nowhere');
    return new SourceError(
      `${url} redirects to ${location}. The sync does not follow redirects. Give the address that ` +
        'answers without a redirect.',
    );
  }
  const remedy =
    status === 401 || status === 403
      ? hasToken
        ? ' Renew the token in the file of --sync-token-file.'
        : ' If it requires a token, put it in a file, and name the file with --sync-token-file.'
      : status === 404
        ? ' Give the FHIR base of the directory, such as https://directory.example/STU3.'
        : '';
  return new SourceError(`${line}.${remedy}`);
}

/** The diagnostics of the first issue of an OperationOutcome; empty for any other body. */
async function diagnosticsOf(url: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    const body = await bytesOf(url, chunks, OUTCOME_BYTES_MAX);
    const outcome = JSON.parse(body.toString('utf8'));
    const diagnostics = [outcome?.issue].flat()[0]?.diagnostics;
    return typeof diagnostics === 'string' ? printable(diagnostics) : '';
  } catch {
    return '';
  }
}

const OUTCOME_BYTES_MAX = 65_536;

/** Reads a whole body. Throws a SourceError if it is longer than `bytesMax`. */
export async function bytesOf(
  url: string,
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new SourceError(`The answer of ${url} is longer than ${bytesMax} bytes.`);
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}
