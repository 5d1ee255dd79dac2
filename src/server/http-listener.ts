/** The socket's side of one thread: HTTP into requests, responses into HTTP. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { FhirError } from '../fhir/fhir-error.ts';
import type { Handle } from '../fhir/handle.ts';
import type { BodyKind, FhirRequest, FhirResponse } from '../fhir/request.ts';
import type { Certificate } from './certificate.ts';
import { type ClientAddressOf, createClientAddressOf } from './client-address.ts';
import type { Gate } from './gate.ts';
import { hasBody, receiveBody } from './request-body.ts';

export interface ListenerLimits {
  /** The address and the headers of a request. */
  readonly headerBytesMax: number;
  readonly bodyBytesMax: number;
  /** Of a search by form. */
  readonly formBytesMax: number;
  /** A client that sends nothing more is let go. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** Who answers what is neither FHIR's nor a document. */
export interface Pages {
  owns(path: string, accept: string | undefined): boolean;
  handle(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    request: { readonly id: string; readonly refusal?: FhirError; readonly isLast?: boolean },
  ): void;
}

export interface ListenerOptions {
  readonly handle: Handle;
  readonly pages?: Pages | undefined;
  /** Told of each answer when it is handed to the socket. */
  readonly onAnswer?: (
    request: FhirRequest,
    response: FhirResponse,
    durationMs: number,
    clientOf: () => string,
  ) => void;
  /** Told of what is answered to what is no request. */
  readonly onClientError?: (status: number) => void;
  /** Told of a fault of ours outside of `handle`; the request is answered with 500. */
  readonly onFault?: (error: unknown, requestId: string) => void;
  /** The beginning of the request ids that this thread makes. */
  readonly idPrefix: string;
  readonly gate?: Gate | undefined;
  readonly clientAddressOf?: ClientAddressOf;
  readonly limits?: ListenerLimits;
  /** Speaks TLS, with the certificate that `secure` brings. */
  readonly isSecure?: boolean;
}

export interface Listener {
  readonly server: Server | SecureServer;
  /** The certificate of connections to come. */
  secure(certificate: Certificate): void;
  /**
   * Takes no more connections, closes the idle ones, and lets answers end theirs; the server emits
   * `close` when all have ended.
   */
  stop(): void;
}

export const LISTENER_LIMITS: ListenerLimits = {
  /** Searches have long query strings; 50 parameters of 100 characters fit. */
  headerBytesMax: 16 * 1024,
  bodyBytesMax: 1024 ** 2,
  formBytesMax: 64 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** Longer than what clients and proxies usually keep a connection idle, so that they close it. */
  idleTimeoutMs: 75_000,
};

export function createListener(options: ListenerOptions): Listener {
  const { handle, pages, onAnswer, onFault, idPrefix, gate, limits = LISTENER_LIMITS } = options;
  const clientAddressOf = options.clientAddressOf ?? createClientAddressOf([]);
  const { bodyBytesMax, formBytesMax } = limits;
  let isStopping = false;
  let requests = 0;
  const newId = () => idPrefix + (requests++).toString(36);

  const bodyReader = (incoming: IncomingMessage, outgoing: ServerResponse) => (kind: BodyKind) =>
    receiveBody(incoming, outgoing, kind === 'form' ? formBytesMax : bodyBytesMax);

  const listen = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const startMs = onAnswer === undefined ? 0 : performance.now();
    const { headers, method = 'GET' } = incoming;
    const sentId = headers['x-request-id'];
    const isUsable = typeof sentId === 'string' && REQUEST_ID.test(sentId);
    const id = isUsable ? sentId : newId();
    const clientOf = () => clientAddressOf(incoming);
    const fail = (error: unknown): void => {
      onFault?.(error, id);
      if (!outgoing.headersSent) send(outgoing, faultAnswer(id), id, true, fail);
      else if (!outgoing.writableEnded) outgoing.destroy();
    };
    const deliver = (request: FhirRequest, response: FhirResponse): void => {
      try {
        send(outgoing, response, id, isStopping, fail);
        if (response.pieces !== undefined) {
          // What began before the stop has promised to keep its connection.
          outgoing.once('finish', () => isStopping && incoming.socket.end());
        }
        onAnswer?.(request, response, performance.now() - startMs, clientOf);
      } catch (error) {
        fail(error);
      }
    };
    const respond = (request: FhirRequest): void => {
      try {
        const response = handle(request);
        if (response instanceof Promise) {
          response.then((settled) => deliver(request, settled), fail);
        } else if (response.isElsewhere && pages?.owns(request.path, headers.accept)) {
          const { refusal } = request;
          pages.handle(incoming, outgoing, { id, isLast: isStopping, ...(refusal && { refusal }) });
        } else {
          deliver(request, response);
        }
      } catch (error) {
        fail(error);
      }
    };
    try {
      const { path, query } = splitTarget(incoming.url ?? '/');
      const refusal = gate?.refusalOf(incoming.socket, clientOf) ?? hostRefusal(incoming);
      const request: FhirRequest = { method, path, query, headers, id, addressOf: clientOf };
      if (refusal !== undefined) respond({ ...request, refusal });
      else if (hasBody(method)) respond({ ...request, readBody: bodyReader(incoming, outgoing) });
      else respond(request);
    } catch (error) {
      fail(error);
    }
  };

  const serverOptions = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // A missing Host is refused here, with an outcome.
    requireHostHeader: false,
  };
  const secureServer = options.isSecure
    ? createSecureServer({ ...serverOptions, handshakeTimeout: limits.headersTimeoutMs }, listen)
    : undefined;
  const server = secureServer ?? createServer(serverOptions, listen);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const status = answerClientError(error, socket, limits, newId);
    if (status !== undefined) options.onClientError?.(status);
  });
  server.on('checkContinue', listen);
  server.on('checkExpectation', (_incoming, outgoing: ServerResponse) => {
    send(outgoing, UNKNOWN_EXPECTATION, newId(), true, () => {});
    options.onClientError?.(UNKNOWN_EXPECTATION.status);
  });
  const sockets = new Set<Socket>();
  server.on(secureServer === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  if (gate !== undefined) {
    server.on(secureServer === undefined ? 'connection' : 'secureConnection', gate.admit);
  }
  return {
    server,
    secure: (certificate) => secureServer?.setSecureContext({ ...certificate }),
    stop: () => {
      isStopping = true;
      // Node takes a connection for idle as soon as an answer has been handed to its socket, and
      // destroys it; what the client has not read yet would be lost.
      for (const socket of sockets) {
        if (socket.writableLength > 0) destroyWhenSent(socket);
        // One that has asked for nothing yet is not idle to Node 24.
        else if (socket.bytesRead === 0) socket.destroy();
      }
      server.close();
      // A connection that was promised to be kept becomes idle when its answer has gone.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      server.once('close', () => clearInterval(sweep));
    },
  };
}

/** What is destroyed from now on goes when its last byte has gone. */
function destroyWhenSent(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = () => {
    socket.destroy = destroy;
    socket.destroySoon();
    return socket;
  };
}

const SWEEP_MS = 100;

/** Time limits are looked at this often; a connection may last so much longer. */
const CHECK_EVERY_MS = 1000;

/**
 * Up to here a body goes as text, byte for byte (Latin-1): Node then writes it with the headers in
 * one piece, a tenth less work for a small answer. What is larger would be copied once more.
 */
const ONE_WRITE_BYTES_MAX = 12 * 1024;

/** What a client may choose as a request id. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

function send(
  outgoing: ServerResponse,
  { status, headers, body, release, pieces }: FhirResponse,
  id: string,
  isLast: boolean,
  onFault: (error: unknown) => void,
): void {
  const sent = [...headers, 'X-Request-Id', id];
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.length;
  if (length !== undefined) sent.push('Content-Length', String(length));
  if (isLast) sent.push('Connection', 'close');
  outgoing.writeHead(status, sent);
  if (pieces !== undefined) {
    pipeline(Readable.from(pieces), outgoing, (error) => {
      // A client that goes away is no fault.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onFault(error);
    });
  } else if (body === undefined) {
    outgoing.end();
  } else if (typeof body === 'string') {
    // Text that is all ASCII need not be encoded.
    outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
  } else if (body.length > ONE_WRITE_BYTES_MAX) {
    // When it has been written, or the connection has been given up.
    if (release !== undefined) outgoing.once('close', () => release(body));
    outgoing.end(body);
  } else {
    outgoing.end(bufferOf(body).toString('latin1'), 'latin1');
    release?.(body);
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The path and the query of a request target; a proxy's absolute form loses its host. */
function splitTarget(target: string): { path: string; query: string } {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = question < 0 ? '' : target.slice(question + 1);
  if (path.startsWith('/')) return { path, query };
  return { path: path.replace(/^https?:\/\/[^/]*/i, '') || '/', query };
}

/**
 * What is wrong below HTTP is answered with a constant outcome, and the connection ends. The status,
 * or nothing where there is nobody to answer.
 */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  limits: ListenerLimits,
  newId: () => string,
): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const { status, code, diagnostics } = clientError(error.code, limits);
  const body = outcomeText(code, diagnostics);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `Content-Type: ${OUTCOME_TYPE}\r\nX-Request-Id: ${newId()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  return status;
}

function clientError(
  code: string | undefined,
  { headerBytesMax }: ListenerLimits,
): { readonly status: number; readonly code: string; readonly diagnostics: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        code: 'too-long',
        diagnostics: `The address and headers are longer than ${headerBytesMax} bytes. Send less.`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        code: 'timeout',
        diagnostics: 'The request did not arrive in time. Send it again.',
      };
    default:
      return {
        status: 400,
        code: 'invalid',
        diagnostics:
          'The request cannot be read as HTTP/1.1: its method is unknown, or its address or headers ' +
          'have characters that may not stand there. Percent-encode spaces and letters beyond ASCII.',
      };
  }
}

/** RFC 9112, section 3.2: which server is meant has to be said, though here it changes nothing. */
function hostRefusal({ headers, httpVersion }: IncomingMessage): FhirError | undefined {
  if (headers.host !== undefined || httpVersion === '1.0') return undefined;
  return new FhirError([
    { kind: 'invalid-request', diagnostics: 'The header Host is missing. HTTP/1.1 needs it.' },
  ]);
}

function faultAnswer(id: string): FhirResponse {
  const diagnostics = `Something went wrong in the server. The log says more under request id ${id}.`;
  return {
    status: 500,
    headers: ['Content-Type', OUTCOME_TYPE],
    body: outcomeText('exception', diagnostics),
  };
}

const OUTCOME_TYPE = 'application/fhir+json; charset=utf-8';

/** A constant outcome, in a form that every FHIR version understands. */
function outcomeText(code: string, diagnostics: string): string {
  const issue = [{ severity: 'error', code, diagnostics }];
  return JSON.stringify({ resourceType: 'OperationOutcome', issue });
}

const UNKNOWN_EXPECTATION: FhirResponse = {
  status: 417,
  headers: ['Content-Type', OUTCOME_TYPE],
  body: outcomeText('not-supported', 'Only "Expect: 100-continue" is understood.'),
};
