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

const DIRECTORY_CLIENTS = 4;
const ORDER_CLIENTS = 4;
const PAUSE_MS = 250;
const TRANSACTION_PAUSE_MS = 2000;
const RECENT_PAUSE_MS = 5000;
/** Resources that all clients read and update. */
const SHARED_RESOURCES = 50;
const SUBSCRIBERS = { receivers: 2, readers: 2 };
const ANSWER_TIMEOUT_MS = 60_000;
const FAULTS_MAX = 100;

export async function startClients(options: ClientsOptions): Promise<Clients> {
  const { owner, place, meter, nextRequest } = options;
  const { token, server } = place;
  const { origin } = server;
  const client = orderClient(origin, token);
  const subscribers = await startSubscribers(owner, origin, token, [client], SUBSCRIBERS);
  await startBadReceivers(owner, origin, token);
  const history = new OrderHistory();
  await history.createShared(client, SHARED_RESOURCES);
  const transactions = new Transactions(origin, token);
  const faults: string[] = [];
  let refused = 0;
  let isStopped = false;

  const note = (what: string, status: number, text = '') => {
    // A database that restarts is the only reason to refuse order responses.
    if (status === 503 && place.postgres !== undefined) refused += 1;
    else if ((status === 0 || status >= 500) && faults.length < FAULTS_MAX) {
      faults.push(`${place.name}: ${what} was answered with ${status}: ${text}`);
    }
  };
  const repeat = async (pauseMs: number, ask: () => Promise<void>) => {
    while (!isStopped) {
      await ask();
      await delay(pauseMs);
    }
  };

  const askDirectory = (number: number) => {
    let times = 0;
    return async () => {
      const { path, headers, isRead } = nextRequest(randomFor(number, times++));
      const startMs = performance.now();
      const { status, text } = await get(origin + path, headers);
      meter.count(isRead ? 'read' : undefined, performance.now() - startMs);
      const isRight = status === 200 || (isRead && status === 404);
      if (!isRight) faults.push(`${place.name}: ${path} was answered with ${status}: ${text}`);
    };
  };
  const callOrders = () => {
    const seen = new Map<string, number>();
    return async () => {
      const answer = await history.call(client, seen);
      const { status, text } = answer;
      meter.count(status === 201 ? 'create' : undefined, msOf(answer));
      note('a call for order responses', status, text);
    };
  };
  const sendTransaction = async () => {
    note('a transaction', await transactions.send());
    meter.count();
  };
  const searchRecent = async () => {
    const since = encodeURIComponent(new Date(Date.now() - RECENT_PAUSE_MS).toISOString());
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json+fhir' };
    const path = `/OrderResponse?_lastUpdated=ge${since}&_count=20`;
    const { status, text } = await get(origin + path, headers);
    note('a search for recent order responses', status, text);
    meter.count();
  };

  const all = Promise.all([
    ...Array.from({ length: DIRECTORY_CLIENTS }, (_, at) => repeat(PAUSE_MS, askDirectory(at))),
    ...Array.from({ length: ORDER_CLIENTS }, () => repeat(PAUSE_MS, callOrders())),
    repeat(TRANSACTION_PAUSE_MS, sendTransaction),
    repeat(RECENT_PAUSE_MS, searchRecent),
  ]);

  return {
    finish: async () => {
      isStopped = true;
      await all;
      const read = await readStoredOrders(place.environment);
      const { stored } = read;
      const owed = await subscribers.finish(stored.map(([, address]) => address));
      return {
        server: place.name,
        acknowledged: history.acknowledgedWrites + transactions.acknowledgedWrites,
        unknown: history.unknownWrites,
        stored: stored.length,
        notifications: owed.notifications,
        refused,
        faults: [
          ...faults,
          ...read.faults,
          ...history.faults(stored),
          ...transactions.faults(stored),
          ...owed.faults,
        ],
      };
    },
  };
}

/** Status 0 if there was no answer. The text is that of an error, shortened. */
async function get(url: string, headers: Readonly<Record<string, string>>) {
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
