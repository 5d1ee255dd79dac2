/** Refuses connections and requests above the limits of the whole server. */
import type { Socket } from 'node:net';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { RefusalCause } from '../monitoring/counters.ts';
import { peerName } from '../sockets/connections.ts';
import {
  type ClientTotals,
  type ClientTotalsMemory,
  createClientTotals,
  createClientTotalsMemory,
  forgetClientTotals,
} from './client-totals.ts';
import { createRateLimit, createRateMemory, type RateMemory } from './rate-limit.ts';

/** As the settings `limits.*`. */
export interface GateLimits {
  /** Connections at a time. */
  readonly connections: number;
  /** For each client address; 0 for no limit. */
  readonly connectionsPerClient: number;
  /** The most bytes of request bodies in memory, for all requests together. */
  readonly bodyBytesInFlight: number;
  /** Likewise, for each client address. */
  readonly bodyBytesPerClient: number;
  /** Requests that wait for changes at a time. */
  readonly waiting: number;
  /** Likewise, for each client. */
  readonly waitingPerClient: number;
  /** For each client address; 0 for no limit. */
  readonly requestsPerSecond: number;
  /** The server refuses requests while the thread stays this late; 0 for no limit. */
  readonly delayMs: number;
}

/** Shared by all threads. */
export interface GateMemory {
  readonly connections: ClientTotalsMemory;
  readonly bodies: ClientTotalsMemory;
  readonly waits: ClientTotalsMemory;
  /** Absent if requests per second have no limit. */
  readonly rate?: { readonly memory: RateMemory; readonly seed: number } | undefined;
}

/** Counts the body of one request. */
export interface BodyAccount {
  /** Reserves this many more bytes. Returns undefined, or the reason if a limit is exceeded. */
  take(bytes: number): FhirError | undefined;
  /** Call it when the request is answered. */
  close(): void;
}

export interface Gate {
  /** Counts a connection until it is closed, also during its TLS handshake. */
  admit(socket: Socket): void;
  /**
   * Why the server refuses a request, or undefined. `socket` is the admitted connection or its TLS
   * socket.
   */
  refusalOf(socket: Socket, clientOf: () => string, path: string): FhirError | undefined;
  /**
   * Counts the body of a request of this client. It never refuses the only body of a client: the
   * limit of a single body applies to it.
   */
  openBody(client: string): BodyAccount;
  /** Counts a request of this client that waits. Throws a FhirError if a limit is exceeded. */
  openWait(client: string): Pick<BodyAccount, 'close'>;
}

export interface GateOptions {
  readonly limits: GateLimits;
  readonly memory: GateMemory;
  /** The number of this thread. */
  readonly thread: number;
  /**
   * The client of the connection; undefined for a proxy, whose connections have no limit for
   * each client.
   */
  readonly peerOf?: (socket: Socket) => string | undefined;
  /** Whether a request for the path does not count towards the requests per second of its client. */
  readonly isFree?: ((path: string) => boolean) | undefined;
  readonly delay: Pick<LoopDelay, 'lastingMs'>;
  readonly onRefusal: (refusal: RefusalCause) => void;
}

export function createGateMemory(limits: GateLimits, threads: number, seed: number): GateMemory {
  return {
    connections: createClientTotalsMemory(threads, seed),
    bodies: createClientTotalsMemory(threads, seed),
    waits: createClientTotalsMemory(threads, seed),
    rate: limits.requestsPerSecond === 0 ? undefined : { memory: createRateMemory(), seed },
  };
}

export function openConnections(memory: GateMemory): number {
  return createClientTotals(memory.connections, 0).open().total();
}

/** The requests that wait for changes. */
export function waitingRequests(memory: GateMemory): number {
  return createClientTotals(memory.waits, 0).open().total();
}

/** Subtracts the connections of a thread that has died. They are closed. */
export function forgetConnections(memory: GateMemory, thread: number): void {
  forgetClientTotals(memory.connections, thread);
  forgetClientTotals(memory.bodies, thread);
  forgetClientTotals(memory.waits, thread);
}

export function createGate(options: GateOptions): Gate {
  const { limits, memory, thread, peerOf, isFree, delay, onRefusal } = options;
  const connections = createClientTotals(memory.connections, thread);
  const bodies = createClientTotals(memory.bodies, thread);
  const delayMaxMs = limits.delayMs === 0 ? Number.POSITIVE_INFINITY : limits.delayMs;
  const { rate } = memory;
  const rateLimit = rate && createRateLimit(rate.memory, limits.requestsPerSecond, rate.seed);
  /** The refusals of connections above a limit, a new one each, by the address of the client. */
  const surplus = new Map<string, FhirError>();

  return {
    admit: (socket) => {
      const { connectionsPerClient } = limits;
      const client = connectionsPerClient === 0 ? undefined : peerOf?.(socket);
      const account = openAccount(connections, client);
      const excess = account.add(1, connectionsPerClient, limits.connections);
      const refusal = excess && tooManyConnections(excess, limits);
      const peer = peerName(socket);
      if (refusal !== undefined) {
        onRefusal('connections');
        if (surplus.size < SURPLUS_MAX) surplus.set(peer, refusal);
        else socket.destroy();
      }
      socket.once('close', () => {
        account.close();
        if (surplus.get(peer) === refusal) surplus.delete(peer);
      });
    },
    refusalOf: (socket, clientOf, path) => {
      const refusal = surplus.size === 0 ? undefined : surplus.get(peerName(socket));
      if (refusal !== undefined) return refusal;
      if (delay.lastingMs > delayMaxMs) {
        onRefusal('overload');
        return refusalFor('unavailable', 'The server is overloaded. Try again in a moment.');
      }
      if (rateLimit === undefined || isFree?.(path)) return undefined;
      const waitS = rateLimit.secondsToWait(clientOf());
      if (waitS === 0) return undefined;
      onRefusal('rate');
      return refusalFor(
        'throttled',
        `More than ${limits.requestsPerSecond} requests a second came from your address. ` +
          `Try again in ${waitS} s.`,
        waitS,
      );
    },
    openBody: (client) => {
      const account = openAccount(bodies, client);
      let own = 0;
      return {
        take: (bytes) => {
          own += bytes;
          const excess = account.add(
            bytes,
            Math.max(limits.bodyBytesPerClient, own),
            Math.max(limits.bodyBytesInFlight, own),
          );
          if (excess === undefined) return undefined;
          onRefusal('bodies');
          return refusalFor('unavailable', TOO_MANY_BYTES[excess]);
        },
        close: account.close,
      };
    },
    openWait: createOpenWait(options),
  };
}

function createOpenWait({ limits, memory, thread, onRefusal }: GateOptions): Gate['openWait'] {
  const waits = createClientTotals(memory.waits, thread);
  return (client) => {
    const account = openAccount(waits, client);
    const excess = account.add(1, limits.waitingPerClient, limits.waiting);
    if (excess === undefined) return account;
    account.close();
    onRefusal('waits');
    throw refusalFor('unavailable', TOO_MANY_WAITS[excess]);
  };
}

/** Counts what a connection or a request uses, for its client if that is known, and for the server. */
function openAccount(totals: ClientTotals, client: string | undefined) {
  const ofClient = client === undefined ? undefined : totals.open(client);
  const ofServer = totals.open();
  return {
    /** Returns whose total is now above its limit. */
    add: (amount: number, clientMax: number, serverMax: number): Owner | undefined => {
      ofClient?.add(amount);
      ofServer.add(amount);
      if (ofClient !== undefined && ofClient.total() > clientMax) return 'client';
      return ofServer.total() > serverMax ? 'server' : undefined;
    },
    close: () => {
      ofClient?.close();
      ofServer.close();
    },
  };
}

type Owner = 'client' | 'server';

/** The connections above a limit that get an answer. The thread closes further ones without it. */
const SURPLUS_MAX = 64;

/** Clients must not retry at once. Most overloads end within this time. */
const RETRY_S = 2;

function tooManyConnections(excess: Owner, limits: GateLimits): FhirError {
  const [owner, most] =
    excess === 'client'
      ? ['Your address', limits.connectionsPerClient]
      : ['The server', limits.connections];
  const problem =
    `${owner} already has ${most} connections. ` +
    'Close those that are not used, and try again in a moment.';
  const kind = excess === 'client' ? 'throttled' : 'unavailable';
  return refusalFor(kind, problem, RETRY_S, ['Connection', 'close']);
}

const TOO_MANY_BYTES = {
  client:
    'Your address sends too many bytes at the same time. Send fewer requests in parallel, and repeat this one.',
  server: 'The server receives too many bytes at the same time. Try again in a moment.',
};

const TOO_MANY_WAITS = {
  client:
    'Too many of your requests wait for changes. Send fewer at a time, or leave out _wait and ask again later.',
  server:
    'Too many requests wait for changes. Try again in a moment, or leave out _wait and ask again later.',
};

function refusalFor(
  kind: 'unavailable' | 'throttled',
  diagnostics: string,
  waitS = RETRY_S,
  headers: readonly string[] = [],
): FhirError {
  return new FhirError([{ kind, diagnostics }], ['Retry-After', String(waitS), ...headers]);
}

export interface LoopDelay {
  /**
   * The smaller of the last two measured delays. One task that holds up the loop, such as the first
   * page of its kind, is no overload: the requests that waited for it can be answered.
   */
  readonly lastingMs: number;
  /** Forgets the delay until now. The delay of a start is not an overload. */
  restart(): void;
  stop(): void;
}

/** Often enough to notice overload early, and cheap. */
export const MEASURE_EVERY_MS = 100;

export function watchLoopDelay(onMeasured: (delayMs: number) => void = () => {}): LoopDelay {
  let dueMs = 0;
  let lastMs = 0;
  const delay = {
    lastingMs: 0,
    restart: () => {
      lastMs = 0;
      delay.lastingMs = 0;
      dueMs = performance.now() + MEASURE_EVERY_MS;
    },
    stop: () => clearInterval(timer),
  };
  delay.restart();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const delayMs = Math.max(0, nowMs - dueMs);
    delay.lastingMs = Math.min(lastMs, delayMs);
    lastMs = delayMs;
    dueMs = nowMs + MEASURE_EVERY_MS;
    onMeasured(delayMs);
  }, MEASURE_EVERY_MS);
  timer.unref();
  return delay;
}
