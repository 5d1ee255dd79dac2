/** The repository in a server thread: it passes each call on to the storage thread. */
import type { MessagePort } from 'node:worker_threads';
import type { ChangesRequest, ChangesWait, Repository } from '../../fhir/stored/repository.ts';
import { RepositoryError } from '../../fhir/stored/repository-error.ts';
import type { DeliveryStore } from '../../orders/subscriptions/delivery-store.ts';
import { SUBSCRIPTION } from '../../orders/subscriptions/subscription.ts';
import { OUTCOME_UNKNOWN, STARTING, UNAVAILABLE, UNKNOWN } from '../files/unavailable.ts';
import type {
  BatchTimes,
  RepositoryCalls,
  RepositoryReturns,
} from '../repository/repository-operation.ts';
import {
  type RepositoryAnswer,
  type RepositoryOperation,
  STORAGE_CALLS,
  type StorageCall,
} from '../repository/repository-operation.ts';
import { ChangeWatch } from './change-watch.ts';
import { ReaderClient } from './reader-client.ts';
import type { OrdersConnection } from './repository-messages.ts';
import { commitSignalOf } from './serve-ports.ts';

export interface RepositoryClient extends Repository, DeliveryStore {
  /** Calls use this connection from now on. */
  reconnect(connection: OrdersConnection): void;
  /** Later calls are rejected. */
  close(): void;
}

/** Called when a call of the store begins. It returns a function to call when the call ends. */
export type FollowCall = (name: string) => (end: CallEnd) => void;

export interface CallEnd {
  /** The transaction that ran the call. */
  readonly batch?: BatchTimes | undefined;
  readonly failure?: string | undefined;
}

export function createRepositoryClient(
  first?: OrdersConnection,
  follow?: FollowCall,
  onReadFault?: (fault: Error) => void,
): RepositoryClient {
  const calls = new Calls(follow);
  let reader: ReaderClient | undefined;
  let watch: ChangeWatch | undefined;
  let answerMs: number | undefined;
  const connect = (connection: OrdersConnection) => {
    calls.connect(connection);
    if (connection.port === undefined) return;
    answerMs = connection.answerMs;
    reader ??= new ReaderClient(connection.reader, onReadFault);
    watch ??= new ChangeWatch(commitSignalOf(connection.counters), reader);
  };
  const bounded = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    within(answerMs, UNAVAILABLE.unreachable, answer);
  const ask = async <Answer>(
    name: string,
    call: (reader: ReaderClient) => Promise<Answer>,
  ): Promise<Answer> => {
    if (reader === undefined) throw new RepositoryError(calls.unavailable);
    return followed(name, call(reader), follow);
  };
  const pageOf = (request: ChangesRequest, wait: ChangesWait | undefined) => {
    const read = (asked: ChangesRequest) => bounded(ask('changes', (one) => one.changes(asked)));
    if (wait === undefined || watch === undefined) return read(request);
    return watch.firstPage(request, wait, read);
  };
  if (first !== undefined) connect(first);
  return {
    // Messages lose the types of the methods.
    ...(storageMethods(calls, () => answerMs) as unknown as Omit<
      Repository & DeliveryStore,
      'search' | 'changes'
    >),
    search: (request, access) =>
      bounded(
        ask('search', (thread) => thread.search(request)).then(async ({ result, found }) => {
          await calls.call({ kind: 'recordSearch', args: [found, access] });
          return result;
        }),
      ),
    changes: async (request, access, wait) => {
      const { result, found } = await pageOf(request, wait);
      await bounded(calls.call({ kind: 'recordChanges', args: [found, access] }));
      return result;
    },
    notifications: async (request, access, wait) => {
      const { result, found } = await pageOf(request, wait);
      if (access !== undefined && result.kind === 'found' && result.versions.length > 0) {
        await bounded(calls.call({ kind: 'recordChanges', args: [found, access] }));
      }
      return result;
    },
    readDeliveries: async () =>
      (await bounded(ask('deliveries', (one) => one.deliveries()))).result.states,
    currentSubscriptions: async () =>
      (await bounded(ask('current', (one) => one.current(SUBSCRIPTION)))).result.current,
    reconnect: connect,
    close: () => {
      watch?.end();
      calls.disconnect();
      reader?.close();
    },
  };
}

/** The methods that the storage thread runs. */
function storageMethods(calls: Calls, answerMsOf: () => number | undefined) {
  const methodOf =
    (kind: StorageCall) =>
    async (...args: RepositoryOperation['args']) => {
      const answer = await within(
        answerMsOf(),
        STORES_NOTHING.has(kind) ? UNAVAILABLE.unreachable : OUTCOME_UNKNOWN,
        calls.call({ kind, args } as RepositoryOperation),
      );
      if (answer.kind !== kind) throw new Error(`an answer to another call: ${answer.kind}`);
      return answer.value;
    };
  return Object.fromEntries(STORAGE_CALLS.map((kind) => [kind, methodOf(kind)]));
}

const STORES_NOTHING: ReadonlySet<StorageCall> = new Set([
  'read',
  'history',
  'findMatch',
  'checkPreconditions',
  'recordRefusal',
]);

/** Fails a call whose answer takes too long. The call itself continues. */
async function within<Answer>(
  limitMs: number | undefined,
  message: string,
  answer: Promise<Answer>,
): Promise<Answer> {
  if (limitMs === undefined) return answer;
  const late = Promise.withResolvers<never>();
  using _timer = setTimeout(() => late.reject(new RepositoryError(message)), limitMs);
  return await Promise.race([answer, late.promise]);
}

async function followed<Answer>(
  name: string,
  reading: Promise<Answer>,
  follow: FollowCall | undefined,
): Promise<Answer> {
  const end = follow?.(name);
  try {
    const answer = await reading;
    end?.({});
    return answer;
  } catch (error) {
    end?.({ failure: 'reader' });
    throw error;
  }
}

/** The calls that wait for an answer of the storage thread. */
class Calls {
  readonly #follow: FollowCall | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #port: MessagePort | undefined;
  #unavailable = STARTING;
  #nextNumber = 0;
  #unsent: RepositoryOperation[] = [];

  constructor(follow: FollowCall | undefined) {
    this.#follow = follow;
  }

  /** Why calls fail without a connection. */
  get unavailable(): string {
    return this.#unavailable;
  }

  connect(connection: OrdersConnection): void {
    this.disconnect();
    const { port } = connection;
    if (port === undefined) {
      this.#unavailable = connection.unavailable;
      return;
    }
    this.#port = port;
    port.on('message', (returns: RepositoryReturns) => this.#settle(returns));
    port.on('close', () => {
      if (this.#port === port) this.disconnect();
    });
  }

  /** Calls without an answer fail with the message that their outcome is unknown. */
  disconnect(): void {
    this.#port?.close();
    this.#port = undefined;
    this.#unavailable = STARTING;
    this.#unsent = [];
    const unanswered = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, end } of unanswered) {
      end?.({ failure: 'disconnected' });
      reject(new RepositoryError(UNKNOWN));
    }
  }

  call(operation: RepositoryOperation): Promise<RepositoryAnswer> {
    if (this.#port === undefined) return Promise.reject(new RepositoryError(this.#unavailable));
    return new Promise((resolve, reject) => {
      const end = this.#follow?.(operation.kind);
      this.#waiting.set(this.#nextNumber++, { resolve, reject, end });
      if (this.#unsent.push(operation) === 1) queueMicrotask(() => this.#send());
    });
  }

  /** Sends all calls of one turn of the event loop in one message. */
  #send(): void {
    if (this.#unsent.length === 0) return;
    const operations = this.#unsent;
    this.#unsent = [];
    this.#post({ first: this.#nextNumber - operations.length, operations });
  }

  /** If one call cannot be cloned, nothing is posted. The others are then sent one by one. */
  #post({ first, operations }: RepositoryCalls): void {
    try {
      this.#port?.postMessage({ first, operations } satisfies RepositoryCalls);
    } catch (fault) {
      if (operations.length > 1) {
        operations.forEach((one, at) => {
          this.#post({ first: first + at, operations: [one] });
        });
        return;
      }
      const call = this.#waiting.get(first);
      this.#waiting.delete(first);
      call?.end?.({ failure: 'fault' });
      call?.reject(fault instanceof Error ? fault : new Error(String(fault)));
    }
  }

  #settle({ numbers, results, batch }: RepositoryReturns): void {
    numbers.forEach((number, at) => {
      const call = this.#waiting.get(number);
      const result = results[at];
      this.#waiting.delete(number);
      if (call === undefined || result === undefined) return;
      const { kind } = result;
      const hasFailed = kind === 'unavailable' || kind === 'fault';
      call.end?.(hasFailed ? { batch, failure: kind } : { batch });
      if (result.kind === 'unavailable') call.reject(new RepositoryError(result.message));
      else if (result.kind === 'fault') call.reject(new Error(result.message));
      else call.resolve(result);
    });
  }
}

interface Waiting {
  readonly resolve: (answer: RepositoryAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly end: ((end: CallEnd) => void) | undefined;
}
