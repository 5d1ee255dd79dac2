/** The repository in a server thread: it passes each call on to the storage thread. */
import type { MessagePort } from 'node:worker_threads';
import { REPOSITORY_METHODS, type Repository, RepositoryError } from '../fhir/repository.ts';
import type {
  OrdersConnection,
  RepositoryCalls,
  RepositoryReturns,
} from './repository-messages.ts';
import type {
  RepositoryAnswer,
  RepositoryOperation,
  RepositoryResult,
} from './repository-operation.ts';
import { STARTING, UNKNOWN } from './unavailable.ts';

export interface RepositoryClient extends Repository {
  /** Calls use this connection from now on. */
  reconnect(connection: OrdersConnection): void;
  /** Later calls are rejected. */
  close(): void;
}

export function createRepositoryClient(first?: OrdersConnection): RepositoryClient {
  let port: MessagePort | undefined;
  let unavailable = STARTING;
  let nextNumber = 0;
  let unsent: RepositoryOperation[] = [];
  const waiting = new Map<number, Waiting>();

  const connect = (connection: OrdersConnection) => {
    disconnect();
    if (connection.port === undefined) {
      unavailable = connection.unavailable;
      return;
    }
    const to = connection.port;
    port = to;
    to.on('message', ({ numbers, results }: RepositoryReturns) => {
      numbers.forEach((number, at) => {
        const call = waiting.get(number);
        const result = results[at];
        waiting.delete(number);
        if (call !== undefined && result !== undefined) settle(call, result);
      });
    });
    to.on('close', () => {
      if (port === to) disconnect();
    });
  };

  /** Calls without an answer fail with the message that their outcome is unknown. */
  const disconnect = () => {
    port?.close();
    port = undefined;
    unavailable = STARTING;
    unsent = [];
    const unanswered = [...waiting.values()];
    waiting.clear();
    for (const { reject } of unanswered) reject(new RepositoryError(UNKNOWN));
  };

  /** Sends all calls of one turn of the event loop in one message. */
  const send = () => {
    if (unsent.length === 0) return;
    const calls: RepositoryCalls = { first: nextNumber - unsent.length, operations: unsent };
    unsent = [];
    post(calls);
  };

  /** If one call cannot be cloned, nothing is posted. The others are then sent one by one. */
  const post = ({ first, operations }: RepositoryCalls): void => {
    try {
      port?.postMessage({ first, operations } satisfies RepositoryCalls);
    } catch (fault) {
      if (operations.length > 1) {
        operations.forEach((one, at) => {
          post({ first: first + at, operations: [one] });
        });
        return;
      }
      const call = waiting.get(first);
      waiting.delete(first);
      call?.reject(fault instanceof Error ? fault : new Error(String(fault)));
    }
  };

  const call = (operation: RepositoryOperation): Promise<RepositoryAnswer> => {
    if (port === undefined) return Promise.reject(new RepositoryError(unavailable));
    return new Promise((resolve, reject) => {
      waiting.set(nextNumber++, { resolve, reject });
      if (unsent.push(operation) === 1) queueMicrotask(send);
    });
  };

  const methodOf =
    (kind: keyof Repository) =>
    async (...args: RepositoryOperation['args']) => {
      const answer = await call({ kind, args } as RepositoryOperation);
      if (answer.kind !== kind) throw new Error(`an answer to another call: ${answer.kind}`);
      return answer.value;
    };

  if (first !== undefined) connect(first);
  const methods = Object.fromEntries(REPOSITORY_METHODS.map((kind) => [kind, methodOf(kind)]));
  // Messages lose the types of the methods.
  return { ...(methods as unknown as Repository), reconnect: connect, close: disconnect };
}

interface Waiting {
  readonly resolve: (answer: RepositoryAnswer) => void;
  readonly reject: (error: Error) => void;
}

function settle({ resolve, reject }: Waiting, result: RepositoryResult): void {
  if (result.kind === 'unavailable') reject(new RepositoryError(result.message));
  else if (result.kind === 'fault') reject(new Error(result.message));
  else resolve(result);
}
