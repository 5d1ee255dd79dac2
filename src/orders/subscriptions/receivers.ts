/** Posts to receivers, over connections that stay open, and only to addresses that are allowed. */
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Agent as PlainAgent, request as plainRequest } from '../../fhir/request/node-http.ts';
import { AddressRefused, type AllowedHosts } from './allowed-hosts.ts';
import { retryAfterMs } from './clock.ts';

/** `problem` is a sentence without anything secret. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  /** The receiver answered 410: it wants nothing more. */
  | { readonly kind: 'gone'; readonly problem: string }
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfterMs: number };

export interface Receivers {
  /** Never rejects. Redirects are failures: they could lead to a host that is not allowed. */
  post(
    endpoint: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<DeliveryOutcome>;
  /** Closes the connections that no request uses. */
  close(): void;
}

export interface ReceiverOptions {
  readonly hosts: AllowedHosts;
  /** The time for a whole request and its answer. */
  readonly timeoutMs: number;
  /** The authorities that certificates are checked by, as PEM. Absent: those of Node. */
  readonly ca?: string | undefined;
  readonly now: () => number;
  /** Resolves names; that of the system by default. */
  readonly resolve?: LookupFunction | undefined;
}

/** Another server may deliver later than this after a request, and it must not arrive after those. */
const REPEAT_MS = 500;

export function createReceivers(options: ReceiverOptions): Receivers {
  const { hosts, ca, resolve, now, timeoutMs } = options;
  const agents = {
    plain: new PlainAgent({ keepAlive: true }),
    secure: new SecureAgent({ keepAlive: true, ...(ca !== undefined && { ca }) }),
  };

  /** Undefined: the receiver had closed the connection before it got the request. */
  const attempt = (
    endpoint: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<DeliveryOutcome | undefined> => {
    const { promise, resolve: settle } = Promise.withResolvers<DeliveryOutcome | undefined>();
    const isSecure = new URL(endpoint).protocol === 'https:';
    const send = isSecure ? secureRequest : plainRequest;
    const request = send(endpoint, {
      method: 'POST',
      agent: isSecure ? agents.secure : agents.plain,
      lookup: hosts.lookupFor(endpoint, resolve),
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    });
    const late = new Error('late');
    const timer = setTimeout(() => request.destroy(late), timeoutMs);
    let outcome: DeliveryOutcome | undefined;
    request.on('response', (response) => {
      const { statusCode = 0, headers: answered } = response;
      outcome = outcomeOf(statusCode, retryAfterMs(answered['retry-after'], now()));
      // Only the status counts, also if the rest of the answer does not arrive.
      response.on('error', () => undefined).on('close', () => settle(outcome));
      response.resume();
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const wasClosed = request.reusedSocket && error.code === 'ECONNRESET';
      const isLate = error === late;
      settle(outcome ?? (wasClosed && !isLate ? undefined : failed(problemOf(error, isLate))));
    });
    request.on('close', () => {
      clearTimeout(timer);
      // An answer that switches to another protocol ends the request with no other event.
      settle(outcome ?? failed('The receiver closed the connection without an answer.'));
    });
    request.end(body);
    return promise;
  };

  const problemOf = (error: NodeJS.ErrnoException, isLate: boolean): string => {
    if (isLate) return `The receiver did not answer within ${timeoutMs / 1000} s.`;
    if (error instanceof AddressRefused) return error.message;
    return connectionProblem(error.code ?? error.name);
  };

  return {
    post: async (endpoint, headers, body) => {
      const refusal = hosts.refusalOf(endpoint);
      if (refusal !== undefined) return failed(refusal);
      const endMs = performance.now() + REPEAT_MS;
      for (let attempts = 0; attempts < 3 && performance.now() < endMs; attempts++) {
        const outcome = await attempt(endpoint, headers, body);
        if (outcome !== undefined) return outcome;
      }
      return failed('The receiver repeatedly closed the connection without an answer.');
    },
    close: () => {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

function connectionProblem(code: string): string {
  if (!CERTIFICATE_CODES.test(code)) return `The receiver cannot be reached (${code}).`;
  const remedy = 'If an authority of your own issued it, set subscriptions.caFile.';
  return `The server does not trust the certificate of the receiver (${code}). ${remedy}`;
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes, and that of another host name. */
const CERTIFICATE_CODES = /CERT|SIGNATURE/;

function outcomeOf(status: number, pauseMs: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const problem = `The receiver answered ${status}.`;
  if (status === 410) return { kind: 'gone', problem };
  const isRedirect = status >= 300 && status < 400;
  return failed(isRedirect ? `${problem} The server does not follow redirects.` : problem, pauseMs);
}

function failed(problem: string, pauseMs = 0): DeliveryOutcome {
  return { kind: 'failed', problem, retryAfterMs: pauseMs };
}
