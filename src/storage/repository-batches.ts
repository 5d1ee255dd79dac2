/** Collects the calls of all server threads into batches, and returns the results to the threads. */
import type { RepositoryReturns } from './repository-messages.ts';
import type { RepositoryOperation, RepositoryResult } from './repository-operation.ts';

/** The receiver of results: a port. */
export interface Caller {
  postMessage(returns: RepositoryReturns): void;
}

export interface RepositoryBatches {
  add(caller: Caller, first: number, operations: readonly RepositoryOperation[]): void;
  /** Runs all calls that wait. */
  flush(): void;
}

/** `run` commits a batch. If it throws, the thread ends. */
export function createRepositoryBatches(
  run: (operations: readonly RepositoryOperation[]) => readonly RepositoryResult[],
): RepositoryBatches {
  let waiting: Call[] = [];
  let isScheduled = false;
  /** A recent average of how many clients wait at the same time. */
  let crowd = 1;
  let deadlineMs = 0;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    // Runs after all messages that have arrived by now were read.
    setImmediate(look);
  };

  const look = () => {
    isScheduled = false;
    if (waiting.length === 0) return;
    if (waiting.length < crowd && performance.now() < deadlineMs) schedule();
    else runNext();
  };

  const runNext = () => {
    const batch = takeBatch();
    // Rises at once and falls slowly, because one small batch does not mean that there are fewer clients.
    crowd = Math.max(batch.length, Math.floor(crowd * CROWD_DECAY), 1);
    const results = run(batch.map(({ operation }) => operation));
    for (const [caller, returns] of returnsByCaller(batch, results)) send(caller, returns);
    deadlineMs = performance.now() + GATHER_MS;
    if (waiting.length > 0) schedule();
  };

  const takeBatch = (): Call[] => {
    let size = 0;
    let characters = 0;
    while (size < Math.min(waiting.length, OPERATIONS_MAX) && characters < CHARACTERS_MAX) {
      characters += lengthOf(waiting[size]?.operation);
      size++;
    }
    const batch = waiting.slice(0, size);
    waiting = waiting.slice(size);
    return batch;
  };

  return {
    add: (caller, first, operations) => {
      if (waiting.length === 0) deadlineMs = performance.now() + GATHER_MS;
      operations.forEach((operation, at) => {
        waiting.push({ caller, number: first + at, operation });
      });
      schedule();
    },
    flush: () => {
      while (waiting.length > 0) runNext();
    },
  };
}

interface Call {
  readonly caller: Caller;
  readonly number: number;
  readonly operation: RepositoryOperation;
}

/** The limits of a batch, so that no call waits long, and a batch takes little memory. */
const OPERATIONS_MAX = 1024;
const CHARACTERS_MAX = 16 * 1024 * 1024;

/** The time that a batch waits for as many calls as recent batches had. */
const GATHER_MS = 1;
const CROWD_DECAY = 0.9;

/** The characters that an operation stores or reads. */
function lengthOf(operation: RepositoryOperation | undefined): number {
  if (operation?.kind === 'transact') {
    return operation.args[0].reduce((sum, call) => sum + lengthOf(call), 0);
  }
  const [request] = operation?.args ?? [];
  if (request === undefined) return 0;
  if ('text' in request) return request.text.end.length;
  return 'lengthMax' in request ? request.lengthMax : 0;
}

function returnsByCaller(batch: readonly Call[], results: readonly RepositoryResult[]) {
  const byCaller = new Map<Caller, { numbers: number[]; results: RepositoryResult[] }>();
  batch.forEach(({ caller, number }, at) => {
    let returns = byCaller.get(caller);
    if (returns === undefined) {
      returns = { numbers: [], results: [] };
      byCaller.set(caller, returns);
    }
    const result = results[at];
    if (result === undefined) throw new Error('a batch has fewer results than calls');
    returns.numbers.push(number);
    returns.results.push(result);
  });
  return byCaller;
}

/** Sends results one by one if some of them cannot be cloned. Their calls are committed already. */
function send(caller: Caller, { numbers, results }: RepositoryReturns): void {
  try {
    caller.postMessage({ numbers, results });
  } catch (fault) {
    if (numbers.length > 1) {
      numbers.forEach((number, at) => {
        send(caller, { numbers: [number], results: results.slice(at, at + 1) });
      });
      return;
    }
    const why = fault instanceof Error ? fault.message : fault;
    const message = `the call was committed, but its result cannot be sent: ${why}`;
    caller.postMessage({ numbers, results: [{ kind: 'fault', message }] });
  }
}
