/** Starts a worker thread, waits until it is ready, starts it again when it dies, and stops it. */
import type { Transferable, Worker } from 'node:worker_threads';

export interface SupervisedThreadOptions<ToThread, FromThread> {
  /** For error messages: "the storage thread". */
  readonly name: string;
  /** Called for each start. If it throws, this counts as a death of the thread before it was ready. */
  readonly start: () => Worker;
  /**
   * Handles a message of the thread. Returns 'ready' or 'slow' for a message that says so, and an
   * error for a message that says why the thread is about to end. A slow start has no limit.
   */
  readonly onMessage: (message: FromThread) => 'ready' | 'slow' | Error | undefined;
  readonly onReady?: () => void;
  readonly onDeath?: (death: ThreadDeath) => void;
  /** Whether to start the thread again. Without it, the thread is started once. */
  readonly mayRestart?: (death: Omit<ThreadDeath, 'pauseMs'>) => boolean;
  /** Asks the thread to end. Without it, the thread is terminated at once. */
  readonly stopMessage?: ToThread;
  readonly limits?: Partial<ThreadLimits>;
}

/** A thread has ended without a call of `stop`. */
export interface ThreadDeath {
  readonly error: Error;
  /** Whether it was ready before. */
  readonly wasReady: boolean;
  /** The time until the next start; undefined if the thread is not started again. */
  readonly pauseMs: number | undefined;
}

export interface ThreadLimits {
  /** A thread that is not ready after this time is terminated. */
  readonly readyMs: number;
  /** A thread that has not ended this long after it was asked to is terminated. */
  readonly stopMs: number;
  /**
   * The pause before the second start in a row; it doubles with each further start. A thread that
   * dies after a long life is started again at once.
   */
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  /** A thread that was ready for this long counts as one with a long life. */
  readonly longLifeMs: number;
}

const LIMITS: ThreadLimits = {
  // A start takes a second on an idle machine, and more than a minute on one that starves it.
  readyMs: 300_000,
  stopMs: 10_000,
  pauseMs: 200,
  // An operator who removes the cause does not wait long for the next start.
  pauseMsMax: 10_000,
  longLifeMs: 10_000,
};

/** The time for a terminated thread to end. One that hangs in a system call cannot end. */
const TERMINATION_MS = 1_000;

export class SupervisedThread<ToThread, FromThread> {
  readonly #options: SupervisedThreadOptions<ToThread, FromThread>;
  readonly #limits: ThreadLimits;
  readonly #firstReady = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #restart: NodeJS.Timeout | undefined;
  #quickDeaths = 0;
  #isStopping = false;

  /** Starts the thread. */
  constructor(options: SupervisedThreadOptions<ToThread, FromThread>) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    // The promise can be rejected before a caller awaits it.
    this.#firstReady.promise.catch(() => {});
    this.#start();
  }

  /** Rejects if the thread died before it was ready, and is not started again. */
  get firstReady(): Promise<void> {
    return this.#firstReady.promise;
  }

  /** False between a death and the next start. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Returns whether there was a thread to send the message to. */
  post(message: ToThread, transferred: readonly Transferable[] = []): boolean {
    this.#worker?.postMessage(message, transferred);
    return this.#worker !== undefined;
  }

  /** Resolves when the thread has ended. */
  async stop(): Promise<void> {
    const { name, stopMessage } = this.#options;
    this.#isStopping = true;
    clearTimeout(this.#restart);
    this.#firstReady.reject(new Error(`${name} was stopped before it was ready`));
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    if (stopMessage !== undefined) {
      worker.postMessage(stopMessage);
      if (await isWithin(this.#limits.stopMs, ended)) return;
    }
    void worker.terminate();
    if (!(await isWithin(TERMINATION_MS, ended))) worker.unref();
  }

  #start(): void {
    const { start, onMessage, onReady, name } = this.#options;
    let worker: Worker;
    try {
      worker = start();
    } catch (error) {
      this.#died(errorOf(error), undefined);
      return;
    }
    this.#worker = worker;
    let readyAtMs: number | undefined;
    let reason: Error | undefined;
    const { readyMs } = this.#limits;
    const tooLate = setTimeout(() => {
      reason = new Error(`${name} was not ready after ${readyMs / 1000} s`);
      void worker.terminate();
    }, readyMs);
    worker.on('message', (message: FromThread) => {
      const meaning = onMessage(message);
      if (meaning === undefined) return;
      if (meaning instanceof Error) {
        reason = meaning;
        return;
      }
      clearTimeout(tooLate);
      if (meaning === 'slow') return;
      readyAtMs = performance.now();
      this.#firstReady.resolve();
      if (!this.#isStopping) onReady?.();
    });
    worker.on('error', (error) => {
      reason = errorOf(error);
    });
    worker.on('exit', (code) => {
      clearTimeout(tooLate);
      this.#worker = undefined;
      if (!this.#isStopping) this.#died(reason ?? new Error(`exit code ${code}`), readyAtMs);
    });
  }

  #died(error: Error, readyAtMs: number | undefined): void {
    const { mayRestart = () => false, onDeath } = this.#options;
    const { longLifeMs } = this.#limits;
    const wasReady = readyAtMs !== undefined;
    if (wasReady && performance.now() - readyAtMs >= longLifeMs) this.#quickDeaths = 0;
    const pauseMs = mayRestart({ error, wasReady }) ? this.#nextPauseMs() : undefined;
    if (pauseMs === undefined) this.#firstReady.reject(error);
    else this.#restart = setTimeout(() => this.#start(), pauseMs);
    onDeath?.({ error, wasReady, pauseMs });
  }

  #nextPauseMs(): number {
    const { pauseMs, pauseMsMax } = this.#limits;
    const deaths = this.#quickDeaths++;
    return deaths === 0 ? 0 : Math.min(pauseMs * 2 ** (deaths - 1), pauseMsMax);
  }
}

/** Runs a thread that sends one message, its result. */
export async function runThread<Result>(options: {
  readonly name: string;
  readonly start: () => Worker;
  /** The time for the whole run. */
  readonly limitMs: number;
}): Promise<Result> {
  const { name, start, limitMs } = options;
  const results: Result[] = [];
  const thread = new SupervisedThread<never, Result>({
    name,
    start,
    onMessage: (result) => {
      results.push(result);
      return 'ready';
    },
    limits: { readyMs: limitMs },
  });
  await thread.firstReady;
  await thread.stop();
  const [result] = results;
  if (result === undefined) throw new Error(`${name} ended without a result`);
  return result;
}

async function isWithin(limitMs: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const isFirst = await Promise.race([promise.then(() => true), limit]);
  clearTimeout(timer);
  return isFirst;
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
