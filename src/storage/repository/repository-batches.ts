/** Collects the calls of all server threads into batches, and returns the results to the threads. */
import { wallClockMs } from '../../threads/wall-clock.ts';
import type {
  BatchTimes,
  RepositoryOperation,
  RepositoryResult,
  RepositoryReturns,
} from './repository-operation.ts';

/** The receiver of results: a port. */
export interface Caller {
  postMessage(returns: RepositoryReturns): void;
}

/** Commits a batch over one of the lanes. If it throws or rejects, the thread ends. */
export type RunBatch = (
  operations: readonly RepositoryOperation[],
  lane: number,
) => readonly RepositoryResult[] | Promise<readonly RepositoryResult[]>;

export interface BatchOptions {
  /** Whether results say when their batch ran. */
  readonly isTimed?: boolean;
  /** How many batches can run at the same time. */
  readonly lanes?: number;
  /** Whether only the first lane may run a call. */
  readonly needsFirstLane?: (operation: RepositoryOperation) => boolean;
}

export function createRepositoryBatches(
  run: RunBatch,
  options: BatchOptions = {},
): RepositoryBatches {
  return new RepositoryBatches(run, options);
}

export class RepositoryBatches {
  readonly #run: RunBatch;
  readonly #options: BatchOptions;
  #waiting: Call[] = [];
  #isScheduled = false;
  #timer: NodeJS.Timeout | undefined;
  /** A recent average of how many clients wait at the same time. */
  #crowd = 1;
  #deadlineMs = 0;
  /** By lane: whether it runs a batch. */
  readonly #isBusy: boolean[];
  readonly #running = new Set<Promise<void>>();

  constructor(run: RunBatch, options: BatchOptions) {
    this.#run = run;
    this.#options = options;
    this.#isBusy = Array.from({ length: options.lanes ?? 1 }, () => false);
  }

  add(caller: Caller, first: number, operations: readonly RepositoryOperation[]): void {
    const sinceMs = performance.now();
    if (this.#waiting.length === 0) this.#deadlineMs = sinceMs + GATHER_MS;
    operations.forEach((operation, at) => {
      this.#waiting.push({ caller, number: first + at, operation, sinceMs });
    });
    this.#schedule();
  }

  /** Runs all calls that wait. The promise resolves when each has its result. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      const lane = this.#isBusy.indexOf(false);
      if (this.#waiting.length > 0 && lane >= 0) this.#runNext(lane);
      if (this.#running.size > 0) await Promise.race(this.#running);
    }
  }

  /** Gives this result to calls that have waited for this time. */
  expire(waitedMs: number, result: RepositoryResult): void {
    const untilMs = performance.now() - waitedMs;
    const expired = this.#waiting.filter(({ sinceMs }) => sinceMs <= untilMs);
    if (expired.length === 0) return;
    this.#waiting = this.#waiting.filter(({ sinceMs }) => sinceMs > untilMs);
    const results = expired.map(() => result);
    this.#settle(expired, results);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Runs after all messages that have arrived by now were read.
    setImmediate(() => this.#look());
  }

  #look(): void {
    this.#isScheduled = false;
    const lane = this.#isBusy.indexOf(false);
    if (this.#waiting.length === 0 || lane < 0) return;
    const isCrowdHere = this.#waiting.length >= this.#crowd;
    if (isCrowdHere || performance.now() >= this.#deadlineMs) this.#runNext(lane);
    else if (this.#crowd < MANY) this.#schedule();
    else this.#lookLater();
  }

  /** Sleeps, which leaves the processor to the threads that make the calls. */
  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, GATHER_MS);
  }

  #runNext(lane: number): void {
    const batch = this.#takeBatch(lane);
    if (batch.length === 0) return;
    // Rises at once and falls slowly, because one small batch does not mean that there are fewer clients.
    this.#crowd = Math.max(batch.length, Math.floor(this.#crowd * CROWD_DECAY), 1);
    const operations = batch.map(({ operation }) => operation);
    const startMs = this.#options.isTimed ? wallClockMs() : undefined;
    const results = this.#run(operations, lane);
    if (!(results instanceof Promise)) {
      this.#settle(batch, results, startMs);
      return;
    }
    this.#isBusy[lane] = true;
    const done = results.then((all) => {
      this.#isBusy[lane] = false;
      this.#running.delete(done);
      this.#settle(batch, all, startMs);
    });
    this.#running.add(done);
    if (this.#waiting.length > 0) this.#schedule();
  }

  #settle(batch: readonly Call[], results: readonly RepositoryResult[], startMs?: number): void {
    const times =
      startMs === undefined ? undefined : { startMs, endMs: wallClockMs(), calls: batch.length };
    for (const [caller, returns] of returnsByCaller(batch, results)) send(caller, returns, times);
    this.#deadlineMs = performance.now() + GATHER_MS;
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** In the order of their arrival, except that calls for the first lane wait for it. */
  #takeBatch(lane: number): Call[] {
    const batch: Call[] = [];
    const rest: Call[] = [];
    let characters = 0;
    for (const [at, call] of this.#waiting.entries()) {
      if (batch.length === OPERATIONS_MAX || characters >= CHARACTERS_MAX) {
        rest.push(...this.#waiting.slice(at));
        break;
      }
      if (lane > 0 && this.#options.needsFirstLane?.(call.operation)) {
        rest.push(call);
        continue;
      }
      characters += lengthOf(call.operation);
      batch.push(call);
    }
    this.#waiting = rest;
    return batch;
  }
}

interface Call {
  readonly caller: Caller;
  readonly number: number;
  readonly operation: RepositoryOperation;
  /** When it arrived. */
  readonly sinceMs: number;
}

/** The limits of a batch, so that no call waits long, and a batch takes little memory. */
const OPERATIONS_MAX = 1024;
const CHARACTERS_MAX = 16 * 1024 * 1024;

/** The time that a batch waits for as many calls as recent batches had. */
const GATHER_MS = 1;
/** A timer may take 2 ms. For fewer clients than this, that costs more time than it saves. */
const MANY = 6;
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
function send(
  caller: Caller,
  { numbers, results }: RepositoryReturns,
  batch: BatchTimes | undefined,
): void {
  try {
    caller.postMessage(batch === undefined ? { numbers, results } : { numbers, results, batch });
  } catch (fault) {
    if (numbers.length > 1) {
      numbers.forEach((number, at) => {
        send(caller, { numbers: [number], results: results.slice(at, at + 1) }, batch);
      });
      return;
    }
    const why = fault instanceof Error ? fault.message : fault;
    const message = `the call was committed, but its result cannot be sent: ${why}`;
    caller.postMessage({ numbers, results: [{ kind: 'fault', message }] });
  }
}
