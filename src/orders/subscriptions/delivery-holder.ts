/**
 * Runs the thread that delivers, on one server at a time: with a database, on the one that holds a
 * lease. A server without the lease has no such thread, and so no old progress when it gets it back.
 */
import type { Worker } from 'node:worker_threads';
import { SupervisedThread } from '../../threads/supervisor.ts';

/** The servers of a database agree on the one that delivers notifications. */
export interface DeliveryLease {
  /** Names this server among those of the database. */
  readonly holder: string;
  /** Whether this server may deliver for the next `LEASE_MS`, from the call. Rejects if unknown. */
  renew(): Promise<boolean>;
  /** Lets another server deliver at once. */
  release(): Promise<void>;
}

/** How long a lease lasts. */
export const LEASE_MS = 5_000;

/** The same in all threads, also after the process was suspended. Milliseconds. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export interface HolderOptions<FromThread> {
  /** Absent: this server always delivers. */
  readonly lease: DeliveryLease | undefined;
  /** Starts a thread. It may deliver until this time, which a float in the memory has. */
  readonly start: (mayDeliverUntil: SharedArrayBuffer) => Worker;
  readonly onMessage: (message: FromThread) => 'ready' | undefined;
  readonly onReady: () => void;
  readonly onDeath: (error: Error) => void;
}

export class DeliveryHolder<ToThread, FromThread> {
  readonly #options: HolderOptions<FromThread>;
  readonly #stopMessage: ToThread;
  readonly #memory = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  readonly #until = new Float64Array(this.#memory);
  readonly #timer: NodeJS.Timeout;
  #thread: SupervisedThread<ToThread, FromThread> | undefined;
  #holding: Promise<void>;
  #isStopping = false;

  constructor(options: HolderOptions<FromThread>, stopMessage: ToThread) {
    this.#options = options;
    this.#stopMessage = stopMessage;
    this.#holding = this.#hold();
    this.#timer = setInterval(() => {
      if (options.lease !== undefined) this.#holding = this.#holding.then(() => this.#hold());
    }, RENEW_MS);
  }

  post(...message: Parameters<SupervisedThread<ToThread, FromThread>['post']>): void {
    this.#thread?.post(...message);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#holding;
    await this.#stopThread();
    await this.#options.lease?.release().catch(() => undefined);
  }

  async #hold(): Promise<void> {
    const untilMs = await this.#renew().catch(() => this.#until[0] ?? 0);
    // After this time another server may have delivered, so the thread has old progress.
    if (monotonicMs() >= (this.#until[0] ?? 0) || untilMs === 0) await this.#stopThread();
    if (untilMs <= monotonicMs()) return;
    this.#until[0] = untilMs;
    if (!this.#isStopping) this.#thread ??= this.#startThread();
  }

  /** Until when this server may deliver; 0 if another one does. */
  async #renew(): Promise<number> {
    const { lease } = this.#options;
    const calledMs = monotonicMs();
    if (lease === undefined) return Number.POSITIVE_INFINITY;
    return (await lease.renew()) ? calledMs + LEASE_MS - MARGIN_MS : 0;
  }

  #startThread(): SupervisedThread<ToThread, FromThread> {
    const { start, onMessage, onReady, onDeath } = this.#options;
    return new SupervisedThread({
      name: 'the delivery thread',
      start: () => start(this.#memory),
      onMessage,
      onReady,
      onDeath: ({ error }) => onDeath(error),
      mayRestart: () => true,
      stopMessage: this.#stopMessage,
    });
  }

  async #stopThread(): Promise<void> {
    const stopping = this.#thread;
    this.#thread = undefined;
    await stopping?.stop();
  }
}

/** A server that ends without a word is replaced after LEASE_MS and this time. */
const RENEW_MS = 1_500;

/** A request that began before the end of the lease has this time to arrive. */
const MARGIN_MS = 1_000;
