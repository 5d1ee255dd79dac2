/** Refuses connections and requests above the limits of the whole server. */
import type { Socket } from 'node:net';
import { FhirError } from '../fhir/service/fhir-error.ts';
import { type BodyAccount, type BodyLimits, createBodyBudget } from './body-budget.ts';
import {
  type ClientTotalsMemory,
  createClientTotals,
  createClientTotalsMemory,
  forgetClientTotals,
} from './client-totals.ts';
import { peerName } from './connections.ts';
import type { RefusalCause } from './operations/counters.ts';
import type { LoopDelay } from './operations/loop-delay.ts';
import { createRateLimit, createRateMemory, type RateMemory } from './rate-limit.ts';

export interface GateLimits extends BodyLimits {
  /** Connections at a time. */
  readonly connections: number;
  /** For each client address; 0 for no limit. */
  readonly connectionsPerClient: number;
  /** For each client address; 0 for no limit. */
  readonly requestsPerSecond: number;
  /** The server refuses requests while the thread is this late; 0 for no limit. */
  readonly delayMs: number;
}

/** Shared by all threads. */
export interface GateMemory {
  /** The connections of all threads, and from index 1 those of each thread. */
  readonly connections: Int32Array<SharedArrayBuffer>;
  readonly clientConnections: ClientTotalsMemory;
  readonly bodies: ClientTotalsMemory;
  /** Absent if requests per second have no limit. */
  readonly rate?: { readonly memory: RateMemory; readonly seed: number } | undefined;
}

export interface Gate {
  /** Counts a connection until it is closed, also during its TLS handshake. */
  admit(socket: Socket): void;
  /**
   * Why the server refuses a request, or undefined. `socket` is the admitted connection or its TLS
   * socket. A request that is `isFree` does not count towards the requests per second of its client.
   */
  refusalOf(socket: Socket, clientOf: () => string, isFree?: boolean): FhirError | undefined;
  /** Counts the body of a request of this client. */
  openBody(client: string): BodyAccount;
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
  readonly delay: Pick<LoopDelay, 'lastMs'>;
  readonly onRefusal: (refusal: RefusalCause) => void;
}

export function createGateMemory(limits: GateLimits, threads: number, seed: number): GateMemory {
  const bytes = (1 + threads) * Int32Array.BYTES_PER_ELEMENT;
  return {
    connections: new Int32Array(new SharedArrayBuffer(bytes)),
    clientConnections: createClientTotalsMemory(threads, seed),
    bodies: createClientTotalsMemory(threads, seed),
    rate: limits.requestsPerSecond === 0 ? undefined : { memory: createRateMemory(), seed },
  };
}

export function openConnections(memory: GateMemory): number {
  return Atomics.load(memory.connections, 0);
}

/** Subtracts the connections of a thread that has died. They are closed. */
export function forgetConnections(memory: GateMemory, thread: number): void {
  const { connections, clientConnections, bodies } = memory;
  Atomics.sub(connections, 0, Atomics.exchange(connections, 1 + thread, 0));
  forgetClientTotals(clientConnections, thread);
  forgetClientTotals(bodies, thread);
}

export function createGate(options: GateOptions): Gate {
  const { limits, memory, thread, peerOf, delay, onRefusal } = options;
  const { connections, rate } = memory;
  const clients = createClientTotals(memory.clientConnections, thread);
  const openAccount = createBodyBudget(limits, memory.bodies, thread);
  const delayMaxMs = limits.delayMs === 0 ? Number.POSITIVE_INFINITY : limits.delayMs;
  const rateLimit =
    rate === undefined
      ? undefined
      : createRateLimit(rate.memory, limits.requestsPerSecond, rate.seed);
  const { connectionsPerClient } = limits;
  /** The refusals of connections above a limit, a new one each, by the address of the client. */
  const surplus = new Map<string, FhirError>();
  /**
   * Counts the connection for its client. Returns the reason if it exceeds the limit, or undefined.
   */
  const countForClient = (socket: Socket): FhirError | undefined => {
    const client = connectionsPerClient === 0 ? undefined : peerOf?.(socket);
    if (client === undefined) return undefined;
    const share = clients.open(client);
    share.add(1);
    socket.once('close', share.close);
    return share.total() > connectionsPerClient ? tooManyOfClient(limits) : undefined;
  };

  return {
    admit: (socket) => {
      const isSurplus = Atomics.add(connections, 0, 1) >= limits.connections;
      Atomics.add(connections, 1 + thread, 1);
      const refusal = countForClient(socket) ?? (isSurplus ? tooManyOfAll(limits) : undefined);
      const peer = peerName(socket);
      if (refusal !== undefined) {
        onRefusal('connections');
        if (surplus.size < SURPLUS_MAX) surplus.set(peer, refusal);
        else socket.destroy();
      }
      socket.once('close', () => {
        Atomics.sub(connections, 0, 1);
        Atomics.sub(connections, 1 + thread, 1);
        if (surplus.get(peer) === refusal) surplus.delete(peer);
      });
    },
    refusalOf: (socket, clientOf, isFree = false) => {
      const refusal = surplus.size === 0 ? undefined : surplus.get(peerName(socket));
      if (refusal !== undefined) return refusal;
      if (delay.lastMs > delayMaxMs) {
        onRefusal('overload');
        return overloaded();
      }
      if (rateLimit === undefined || isFree) return undefined;
      const waitS = rateLimit.secondsToWait(clientOf());
      if (waitS === 0) return undefined;
      onRefusal('rate');
      return tooManyRequests(limits, waitS);
    },
    openBody: (client) => {
      const account = openAccount(client);
      return {
        close: account.close,
        take: (bytes) => {
          const refusal = account.take(bytes);
          if (refusal !== undefined) onRefusal('bodies');
          return refusal;
        },
      };
    },
  };
}

/** The connections above a limit that get an answer. The thread closes further ones without it. */
const SURPLUS_MAX = 64;

/** Clients must not retry at once. Most overloads end within this time. */
const RETRY_S = 2;

function tooManyOfAll({ connections }: GateLimits): FhirError {
  return tooManyConnections('unavailable', 'The server', connections);
}

function tooManyOfClient({ connectionsPerClient }: GateLimits): FhirError {
  return tooManyConnections('throttled', 'Your address', connectionsPerClient);
}

function tooManyConnections(
  kind: 'unavailable' | 'throttled',
  owner: 'The server' | 'Your address',
  connections: number,
): FhirError {
  return new FhirError(
    [
      {
        kind,
        diagnostics:
          `${owner} already has ${connections} connections. ` +
          'Close those that are not used, and try again in a moment.',
      },
    ],
    ['Retry-After', String(RETRY_S), 'Connection', 'close'],
  );
}

function overloaded(): FhirError {
  return new FhirError(
    [{ kind: 'unavailable', diagnostics: 'The server is overloaded. Try again in a moment.' }],
    ['Retry-After', String(RETRY_S)],
  );
}

function tooManyRequests({ requestsPerSecond }: GateLimits, waitS: number): FhirError {
  return new FhirError(
    [
      {
        kind: 'throttled',
        diagnostics:
          `More than ${requestsPerSecond} requests a second came from your address. ` +
          `Try again in ${waitS} s.`,
      },
    ],
    ['Retry-After', String(waitS)],
  );
}
