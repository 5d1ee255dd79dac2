/** The clients of one server: at a modest rate, a bit of everything that it serves. */
import { setTimeout as delay } from 'node:timers/promises';
import { randomFor } from '../../scripts/release/random.ts';
import { startSubscribers } from '../../test/cluster/subscribers.ts';
import { type OrderAnswer, orderClient } from '../../test/faults/order-client.ts';
import { OrderHistory } from '../../test/faults/order-history.ts';
import type { Owner } from '../../test/owner.ts';
import { readStoredOrders } from './account.ts';
import type { DirectoryRequest } from './directory-requests.ts';
import type { Place } from './place.ts';
import type { Meter } from './readings.ts';
import { startBadReceivers } from './receivers.ts';
import { Transactions } from './transactions.ts';

export interface Clients {
  /** Stops the load, waits for the notifications that are owed, and reads everything back. */
  finish(): Promise<Account>;
}

export interface Account {
  readonly server: string;
  readonly acknowledged: number;
  /** Writes whose clients could not learn whether they were stored. */
  readonly unknown: number;
  readonly stored: number;
  readonly notifications: number;
  /** Answers that say that the server or its database cannot answer now. */
  readonly refused: number;
  readonly faults: readonly string[];
}

export interface ClientsOptions {
  readonly owner: Owner;
  readonly place: Place;
  readonly meter: Meter;
  readonly nextRequest: (random: ReturnType<typeof randomFor>) => DirectoryRequest;
}

/**
 * Each of these clients sends a request a second. A slow machine thus gets the same load as a fast
 * one, until an answer takes over a second.
 */
const DIRECTORY_CLIENTS = 16;
const ORDER_CLIENTS = 12;
const EVERY_MS = 1000;
const TRANSACTION_EVERY_MS = 2000;
const RECENT_EVERY_MS = 5000;
/** Resources that all clients read and update. */
const SHARED_RESOURCES = 50;
const SUBSCRIBERS = { receivers: 2, readers: 2 };
/** An answer that takes longer never comes: a slow machine takes less for the longest. */
const ANSWER_TIMEOUT_MS = 300_000;
const FAULTS_MAX = 100;

export async function startClients(options: ClientsOptions): Promise<Clients> {
  const { owner, place, meter } = options;
  const { token, server } = place;
  const client = orderClient(server.origin, token);
  const subscribers = await startSubscribers(owner, server.origin, token, [client], SUBSCRIBERS);
  await startBadReceivers(owner, server.origin, token);
  const history = new OrderHistory();
  await history.createShared(client, SHARED_RESOURCES);
  const transactions = new Transactions(server.origin, token);
  const answers = new Answers(place);
  const turns = createTurns();
  const callOrders = () => {
    const seen = new Map<string, number>();
    return async () => {
      const answer = await history.call(client, seen);
      meter.count(answer.status === 201 ? 'create' : undefined, msOf(answer));
      answers.noteOrders('a call', answer);
    };
  };
  const sendTransaction = async () => {
    answers.noteOrders('a transaction', { status: await transactions.send(), text: '' });
    meter.count();
  };
  const searchRecent = async () => {
    const since = encodeURIComponent(new Date(Date.now() - RECENT_EVERY_MS).toISOString());
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json+fhir' };
    const path = `/OrderResponse?_lastUpdated=ge${since}&_count=20`;
    answers.noteOrders('a search', await get(server.origin + path, headers));
    meter.count();
  };
  const all = Promise.all([
    ...turns.spread(DIRECTORY_CLIENTS, (at) => directoryClient(options, answers, at)),
    ...turns.spread(ORDER_CLIENTS, callOrders),
    turns.repeat(TRANSACTION_EVERY_MS, 0, sendTransaction),
    turns.repeat(RECENT_EVERY_MS, 0, searchRecent),
  ]);

  return {
    finish: async () => {
      turns.stop();
      await all;
      const { stored, faults } = await readStoredOrders(place.environment);
      const owed = await subscribers.finish(stored.map(([, address]) => address));
      return {
        server: place.name,
        acknowledged: history.acknowledgedWrites + transactions.acknowledgedWrites,
        unknown: history.unknownWrites,
        stored: stored.length,
        notifications: owed.notifications,
        refused: answers.refused,
        faults: [
          ...answers.faults,
          ...faults,
          ...history.faults(stored),
          ...transactions.faults(stored),
          ...owed.faults,
        ],
      };
    },
  };
}

/** The turns of clients, until they are stopped. */
function createTurns() {
  let isStopped = false;
  /** A turn that comes while the answer to the one before is awaited is left out. */
  const repeat = async (everyMs: number, firstMs: number, ask: () => Promise<void>) => {
    await delay(firstMs);
    const beganMs = performance.now();
    while (!isStopped) {
      await ask();
      await delay(Math.max(0, everyMs - ((performance.now() - beganMs) % everyMs)));
    }
  };
  return {
    repeat,
    /** Clients whose turns are spread over a second. */
    spread: (count: number, client: (at: number) => () => Promise<void>) =>
      Array.from({ length: count }, (_, at) =>
        repeat(EVERY_MS, (at * EVERY_MS) / count, client(at)),
      ),
    stop: () => {
      isStopped = true;
    },
  };
}

/** The answers of a server that are not what they should be. */
class Answers {
  readonly faults: string[] = [];
  refused = 0;
  readonly #name: string;
  /** A database that restarts is the only reason to refuse a request. */
  readonly #mayRefuse: boolean;

  constructor({ name, postgres }: Place) {
    this.#name = name;
    this.#mayRefuse = postgres !== undefined;
  }

  /** Clients expect refusals of what they send with a condition. */
  noteOrders(what: string, answer: TextAnswer): void {
    const { status } = answer;
    if (!this.#isRefusal(answer) && (status === 0 || status >= 500)) this.#add(what, answer);
  }

  /** A code may be gone. Long answers may be refused for a moment, and a file while it is made. */
  noteDirectory({ path, isRead }: DirectoryRequest, answer: TextAnswer): void {
    const { status } = answer;
    if (status === 200) return;
    const mayBeGone = isRead || path.startsWith('/organizations/');
    if (status === 404 && mayBeGone) return;
    if (status === 503 && !isRead) this.refused += 1;
    else this.#add(path, answer);
  }

  #isRefusal({ status }: TextAnswer): boolean {
    const isRefusal = status === 503 && this.#mayRefuse;
    if (isRefusal) this.refused += 1;
    return isRefusal;
  }

  #add(what: string, { status, text }: TextAnswer): void {
    if (this.faults.length >= FAULTS_MAX) return;
    this.faults.push(`${this.#name}: ${what} was answered with ${status}: ${text}`);
  }
}

function directoryClient(
  { place, meter, nextRequest }: ClientsOptions,
  answers: Answers,
  number: number,
): () => Promise<void> {
  let times = 0;
  return async () => {
    const request = nextRequest(randomFor(number, times++));
    const startMs = performance.now();
    const answer = await get(place.server.origin + request.path, request.headers);
    meter.count(request.isRead ? 'read' : undefined, performance.now() - startMs);
    answers.noteDirectory(request, answer);
  };
}

interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/** Status 0 if there was no answer. The text is that of an error, shortened. */
async function get(url: string, headers: Readonly<Record<string, string>>): Promise<TextAnswer> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(url, { headers, signal });
    const body = await answer.arrayBuffer();
    const isError = answer.status >= 400;
    const text = isError ? Buffer.from(body).toString('utf8').slice(0, 500) : '';
    return { status: answer.status, text };
  } catch (error) {
    return { status: 0, text: String(error) };
  }
}

function msOf({ beganAt, endedAt }: OrderAnswer): number {
  return Number(endedAt - beganAt) / 1e6;
}
