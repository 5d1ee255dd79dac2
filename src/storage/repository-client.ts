/** The store of order responses as server threads have it: calls over a port to the storage thread. */
import type { MessagePort } from 'node:worker_threads';
import { type Repository, RepositoryError } from '../fhir/repository.ts';
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

  /** What was asked and not answered, is nobody's to know. */
  const disconnect = () => {
    port?.close();
    port = undefined;
    unavailable = STARTING;
    unsent = [];
    const unanswered = [...waiting.values()];
    waiting.clear();
    for (const { reject } of unanswered) reject(new RepositoryError(UNKNOWN));
  };

  /** All that is called in one turn goes in one message. */
  const send = () => {
    if (unsent.length === 0) return;
    const calls: RepositoryCalls = { first: nextNumber - unsent.length, operations: unsent };
    unsent = [];
    post(calls);
  };

  /** Where something cannot be cloned, nothing was posted: the others are not to suffer for it. */
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

  if (first !== undefined) connect(first);
  return {
    create: async (creation, access) => {
      const answer = await call({ kind: 'create', creation, access });
      return answer.kind === 'create' ? answer.value : mismatched(answer);
    },
    update: async (update, access) => {
      const answer = await call({ kind: 'update', update, access });
      return answer.kind === 'update' ? answer.value : mismatched(answer);
    },
    read: async (address, access) => {
      const answer = await call({ kind: 'read', address, access });
      return answer.kind === 'read' ? answer.value : mismatched(answer);
    },
    history: async (request, access) => {
      const answer = await call({ kind: 'history', request, access });
      return answer.kind === 'history' ? answer.value : mismatched(answer);
    },
    checkPreconditions: async (request) => {
      const answer = await call({ kind: 'check-preconditions', request });
      return answer.kind === 'check-preconditions' ? answer.value : mismatched(answer);
    },
    recordRefusal: async (refusal, access) => {
      const answer = await call({ kind: 'record-refusal', refusal, access });
      return answer.kind === 'record-refusal' ? answer.value : mismatched(answer);
    },
    reconnect: connect,
    close: disconnect,
  };
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

function mismatched({ kind }: RepositoryAnswer): never {
  throw new Error(`an answer to another question: ${kind}`);
}
