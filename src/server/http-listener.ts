/** The socket's side of one thread: HTTP into requests, responses into HTTP. */
import {
  createServer,
  type IncomingMessage,
  METHODS,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Handle } from '../fhir/handle.ts';
import type { FhirRequest, FhirResponse } from '../fhir/request.ts';

export interface ListenerOptions {
  readonly handle: Handle;
  /** Told of each answer when it is handed to the socket. */
  readonly onAnswer?: (request: FhirRequest, status: number, durationMs: number) => void;
  /** The beginning of the request ids that this thread makes. */
  readonly idPrefix: string;
}

export interface Listener {
  readonly server: Server;
  /** From now on answers end their connection. */
  stop(): void;
}

export function createListener({ handle, onAnswer, idPrefix }: ListenerOptions): Listener {
  let isStopping = false;
  let requests = 0;

  const listen = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const startMs = onAnswer === undefined ? 0 : performance.now();
    const { path, query } = splitTarget(incoming.url ?? '/');
    const { headers, method = 'GET' } = incoming;
    const sentId = headers['x-request-id'];
    const isUsable = typeof sentId === 'string' && REQUEST_ID.test(sentId);
    const id = isUsable ? sentId : idPrefix + (requests++).toString(36);
    const request: FhirRequest = { method, path, query, headers, id };
    const response = handle(request);
    send(outgoing, response, id, isStopping);
    onAnswer?.(request, response.status, performance.now() - startMs);
  };

  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    listen,
  );
  server.on('clientError', answerClientError);
  return {
    server,
    stop: () => {
      isStopping = true;
    },
  };
}

/** Searches have long query strings; 50 parameters of 100 characters fit. */
const HEADER_BYTES_MAX = 16 * 1024;

/** A client that sends nothing more is let go. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** Longer than what clients and proxies usually keep a connection idle, so that they close it. */
const KEEP_ALIVE_MS = 75_000;

/** What a client may choose as a request id. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

function send(outgoing: ServerResponse, response: FhirResponse, id: string, isLast: boolean): void {
  const { status, headers, body } = response;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const sent = [...headers, 'X-Request-Id', id];
  if (bytes !== undefined) sent.push('Content-Length', String(bytes.length));
  if (isLast) sent.push('Connection', 'close');
  outgoing.writeHead(status, sent);
  outgoing.end(bytes);
}

/** The path and the query of a request target; a proxy's absolute form loses its host. */
function splitTarget(target: string): { path: string; query: string } {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = question < 0 ? '' : target.slice(question + 1);
  if (path.startsWith('/')) return { path, query };
  return { path: path.replace(/^https?:\/\/[^/]*/i, '') || '/', query };
}

/** What is wrong below HTTP is answered with a constant outcome, and the connection ends. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, diagnostics } = CLIENT_ERRORS.get(error.code ?? '') ?? MALFORMED;
  const body = JSON.stringify({
    resourceType: 'OperationOutcome',
    issue: [
      {
        severity: 'error',
        code: status === 431 ? 'too-long' : status === 408 ? 'timeout' : 'invalid',
        diagnostics,
      },
    ],
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Content-Type: application/fhir+json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const MALFORMED = {
  status: 400,
  diagnostics: `The request is not HTTP/1.1 with a known method (${METHODS.length} are known).`,
};

const CLIENT_ERRORS: ReadonlyMap<string, { status: number; diagnostics: string }> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    {
      status: 431,
      diagnostics: `The address and headers are longer than ${HEADER_BYTES_MAX} bytes. Send less.`,
    },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: 408, diagnostics: 'The request did not arrive in time. Send it again.' },
  ],
]);
