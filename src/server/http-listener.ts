/** Serves HTTP in one thread: turns HTTP into requests, and responses into HTTP. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Handle } from '../fhir/handle.ts';
import { createServer } from '../fhir/request/node-http.ts';
import type { BodyKind, FhirRequest, FhirResponse, OnFault } from '../fhir/request/request.ts';
import type { MaybePromise } from '../fhir/service/interaction.ts';
import {
  answerClientError,
  answerConnect,
  faultAnswer,
  UNKNOWN_EXPECTATION,
} from './client-error.ts';
import type { Gate } from './limits/gate.ts';
import {
  type ClientAddressOf,
  createClientAddressOf,
  hasBody,
  headerRefusal,
  receiveBody,
  sentIdOf,
  splitTarget,
} from './request-parts.ts';
import { sendResponse } from './send-response.ts';
import type { Certificate } from './sockets/certificate.ts';
import { Connections } from './sockets/connections.ts';
import { leftSignalOf, Waits } from './waits.ts';

export interface ListenerLimits {
  /** The address and the headers of a request. */
  readonly headerBytesMax: number;
  readonly bodyBytesMax: number;
  /** The most bytes in the body of a search by POST. */
  readonly formBytesMax: number;
  /** The server closes a connection that sends nothing for this time. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** Answers the requests for pages and for their assets. */
export interface Pages {
  owns(path: string, accept: string | undefined): boolean;
  /** `unhandled`: the error that programs get. */
  handle(request: FhirRequest, unhandled: FhirResponse): MaybePromise<FhirResponse>;
}

export interface ListenerOptions {
  readonly handle: Handle;
  readonly pages?: Pages | undefined;
  /** Called for each answer when the socket has received it. */
  readonly onAnswer?: (
    request: FhirRequest,
    response: FhirResponse,
    durationMs: number,
    clientOf: () => string,
  ) => void;
  /** Called for each answer to bytes that are not a valid request. */
  readonly onClientError?: (status: number) => void;
  /** Called for an internal error outside of `handle`. The answer is 500. */
  readonly onFault?: OnFault;
  /** Runs the answer in the trace of its request. */
  readonly trace?:
    | ((outgoing: ServerResponse, answer: (outgoing: ServerResponse) => void) => void)
    | undefined;
  /** The prefix of the request ids that this thread makes. */
  readonly idPrefix: string;
  readonly gate?: Gate | undefined;
  readonly clientAddressOf?: ClientAddressOf;
  readonly limits?: ListenerLimits;
  /** Uses TLS, with the certificate of `secure`. */
  readonly isSecure?: boolean;
}

export interface Listener {
  readonly server: Server | SecureServer;
  /** Sets the certificate of new connections. */
  secure(certificate: Certificate): void;
  /**
   * Answers every request that was sent before, and then closes each connection; the server emits
   * `close` when all have ended.
   */
  stop(): void;
}

export const LISTENER_LIMITS: ListenerLimits = {
  /** Searches have long query strings: enough for 50 parameters of 100 characters. */
  headerBytesMax: 16 * 1024,
  bodyBytesMax: 1024 ** 2,
  formBytesMax: 64 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** Clients and proxies usually close idle connections earlier. */
  idleTimeoutMs: 75_000,
};

export function createListener(options: ListenerOptions): Listener {
  const { gate, trace, limits = LISTENER_LIMITS } = options;
  let requests = 0;
  const newId = () => options.idPrefix + (requests++).toString(36);
  const serverOptions = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // The listener itself refuses a missing Host, with an outcome.
    requireHostHeader: false,
  };
  const secureServer = options.isSecure
    ? // An import would load the module without TLS too.
      process
        .getBuiltinModule('node:https')
        .createServer({ ...serverOptions, handshakeTimeout: limits.headersTimeoutMs })
    : undefined;
  const server = secureServer ?? createServer(serverOptions);
  const connections = new Connections(server);
  const waits = new Waits(gate);
  const answer = createAnswerRequest(options, connections, waits, newId);
  const answerRequest =
    trace === undefined ? answer : (outgoing: ServerResponse) => trace(outgoing, answer);
  server.on('connection', (socket: Socket) => {
    connections.accept(socket);
    gate?.admit(socket);
  });
  server.on(secureServer === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
    connections.open(socket),
  );
  // A client may close its side after its request, and still wait for the answer. Node has no
  // option for this.
  Object.assign(server, { httpAllowHalfOpen: true });
  const listen = (_incoming: IncomingMessage, outgoing: ServerResponse): void =>
    connections.begin(outgoing, answerRequest);
  server.on('request', listen);
  server.on('checkContinue', listen);
  server.on('checkExpectation', (_incoming, outgoing: ServerResponse) =>
    connections.begin(outgoing, () => {
      sendResponse(outgoing, UNKNOWN_EXPECTATION, newId(), true, () => {});
      options.onClientError?.(UNKNOWN_EXPECTATION.status);
    }),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    connections.refuse(socket, () => {
      const status = answerClientError(error, socket, limits.headerBytesMax, newId);
      if (status !== undefined) options.onClientError?.(status);
    }),
  );
  server.on('connect', ({ socket }: IncomingMessage) => {
    // From here on Node neither reads the connection nor handles its errors.
    socket.on('error', () => {}).resume();
    connections.refuse(socket, () => options.onClientError?.(answerConnect(socket, newId)));
  });
  // No byte was sent or received for as long as a connection may be idle.
  server.setTimeout(limits.idleTimeoutMs, (socket: Socket) => {
    if (!connections.isWaiting(socket)) socket.destroy();
  });
  return {
    server,
    secure: (certificate) => secureServer?.setSecureContext({ ...certificate }),
    stop: () => {
      connections.stop();
      waits.stop();
    },
  };
}

/** Answers a request whose turn it is. */
function createAnswerRequest(
  options: ListenerOptions,
  connections: Connections,
  waits: Waits,
  newId: () => string,
): (outgoing: ServerResponse) => void {
  const { handle, pages, onAnswer, onFault, gate, limits = LISTENER_LIMITS } = options;
  const { clientAddressOf = createClientAddressOf([]) } = options;
  const bodyReader = (incoming: IncomingMessage, outgoing: ServerResponse) => (kind: BodyKind) =>
    receiveBody(
      incoming,
      outgoing,
      kind === 'form' ? limits.formBytesMax : limits.bodyBytesMax,
      gate?.openBody(clientAddressOf(incoming)),
    );

  return (outgoing) => {
    const incoming = outgoing.req;
    const startMs = onAnswer === undefined ? 0 : performance.now();
    const { headers, method = 'GET' } = incoming;
    const id = sentIdOf(incoming) ?? newId();
    const clientOf = () => clientAddressOf(incoming);
    const { path, query } = splitTarget(incoming.url ?? '/');
    const beginWait = (client = clientOf()) => waits.begin(outgoing, client);
    const leftSignal = () => leftSignalOf(outgoing);
    const received = {
      method,
      path,
      query,
      headers,
      id,
      addressOf: clientOf,
      beginWait,
      leftSignal,
    };
    const send = (request: FhirRequest, response: FhirResponse): void => {
      sendResponse(outgoing, response, id, connections.isLast(outgoing), fail);
      onAnswer?.(request, response, performance.now() - startMs, clientOf);
    };
    const fail = (error: unknown): void => {
      onFault?.(error, received);
      if (!outgoing.headersSent) send(received, faultAnswer(id));
      else if (!outgoing.writableEnded) outgoing.destroy();
    };
    const respond = (request: FhirRequest): void => {
      const answer = handle(request);
      // The pages answer what no service does.
      const isOfService = answer instanceof Promise || !answer.isUnhandled;
      const response =
        isOfService || !pages?.owns(request.path, headers.accept)
          ? answer
          : pages.handle(request, answer);
      if (response instanceof Promise) {
        response.then((settled) => send(request, settled)).catch(fail);
      } else {
        send(request, response);
      }
    };
    try {
      const refusal = gate?.refusalOf(incoming.socket, clientOf, path) ?? headerRefusal(incoming);
      if (refusal !== undefined) respond({ ...received, refusal });
      else if (hasBody(method)) respond({ ...received, readBody: bodyReader(incoming, outgoing) });
      else respond(received);
    } catch (error) {
      fail(error);
    }
  };
}

/** Node checks the time limits at this interval, so a connection can last that much longer. */
const CHECK_EVERY_MS = 1000;
