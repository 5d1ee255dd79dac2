/**
 * Long work of a thread: how much of it runs at a time, in slices that let other requests go first,
 * and no more of one client than its share.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface WorkLimits {
  /** How many jobs have a place at a time: all of them, those of one kind, and those of one client. */
  readonly places: { readonly inAll: number; readonly ofKind: number; readonly ofClient: number };
  /** How long a job waits for a place. */
  readonly waitMs: number;
}

/** A piece of long work that an answer needs. */
export interface Job {
  /** What it makes, as messages name it: `reports`. */
  readonly kind: string;
  /** The network address of the client. Absent: the program itself. */
  readonly client?: string | undefined;
  /** Aborts when the client has left. */
  readonly left?: AbortSignal | undefined;
}

/** All places are taken, for as long as a job waits. */
export class NoPlaceError extends Error {
  override readonly name = 'NoPlaceError';
  readonly taken: TakenPlaces;

  constructor(taken: TakenPlaces) {
    super(`No place became free (${taken}).`);
    this.taken = taken;
  }
}

/** Which places: all, those of the kind, those of the client; or those of jobs that wait. */
export type TakenPlaces = keyof WorkLimits['places'] | 'waiting';

/** The place of a job. Give it back with `end`, which can be called more than once. */
export interface WorkPlace {
  /**
   * Runs one slice of the job, which should take no more than a few milliseconds. Before it, the
   * client's last slice has been followed by time for others. Rejects with the error of the slice.
   */
  slice<Result>(make: () => Result | Promise<Result>): Promise<Result>;
  end(): void;
}

/** The clock and the event loop; tests have others. */
export interface Turns {
  now(): number;
  /** Resolves after the events that wait have been handled. */
  next(): Promise<unknown>;
}

const EVENT_LOOP: Turns = { now: () => performance.now(), next: () => nextTurn() };

/**
 * While others wait, one client's jobs get a quarter of the time of the thread: after each slice,
 * others get three times as long.
 */
const REST_FACTOR = 3;

/** A turn of the event loop that takes less had nothing to do: no other request waits. */
const IDLE_TURN_MS = 0.1;

/** Each place that becomes free is offered to those that wait in their order. */
const WAITING_MAX = 256;

interface Waiting {
  readonly job: Job;
  readonly admit: (place: WorkPlace) => void;
}

/** The long work of one thread. */
export class Work {
  readonly #limits: WorkLimits;
  readonly #turns: Turns;
  readonly #running = new Set<Job>();
  /** In the order in which they came. */
  readonly #waiting: Waiting[] = [];
  readonly #clients = new Map<string, ClientTurns>();

  constructor(limits: WorkLimits, turns: Turns = EVENT_LOOP) {
    this.#limits = limits;
    this.#turns = turns;
  }

  /** The numbers of jobs that have a place, and of those that wait for one. */
  get counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running.size, waiting: this.#waiting.length };
  }

  /**
   * Resolves with a place for the job. Rejects with a `NoPlaceError` after a while, or at once if too
   * many wait, and with the reason of `left` when the client leaves.
   */
  async enter(job: Job): Promise<WorkPlace> {
    job.left?.throwIfAborted();
    if (this.#takenFor(job) === undefined) return this.#start(job);
    if (this.#waiting.length >= WAITING_MAX) throw new NoPlaceError('waiting');
    return await this.#whenFree(job);
  }

  #start(job: Job): WorkPlace {
    this.#running.add(job);
    const turns = this.#turnsOf(job.client);
    turns.jobs += 1;
    return {
      slice: (make) => turns.slice(make),
      end: () => {
        if (!this.#running.delete(job)) return;
        turns.jobs -= 1;
        if (turns.jobs === 0 && job.client !== undefined) this.#clients.delete(job.client);
        this.#admitWaiting();
      },
    };
  }

  #turnsOf(client: string | undefined): ClientTurns {
    if (client === undefined) return new ClientTurns(this.#turns);
    let turns = this.#clients.get(client);
    if (turns === undefined) {
      turns = new ClientTurns(this.#turns);
      this.#clients.set(client, turns);
    }
    return turns;
  }

  #takenFor({ kind, client }: Job): TakenPlaces | undefined {
    const { places } = this.#limits;
    const running = [...this.#running];
    if (client !== undefined) {
      const own = running.filter((job) => job.client === client).length;
      if (own >= places.ofClient) return 'ofClient';
    }
    if (running.filter((job) => job.kind === kind).length >= places.ofKind) return 'ofKind';
    return running.length >= places.inAll ? 'inAll' : undefined;
  }

  async #whenFree(job: Job): Promise<WorkPlace> {
    const { promise, resolve, reject } = Promise.withResolvers<WorkPlace>();
    const waiting: Waiting = { job, admit: resolve };
    const timer = setTimeout(() => {
      reject(new NoPlaceError(this.#takenFor(job) ?? 'inAll'));
    }, this.#limits.waitMs);
    const leave = () => reject(job.left?.reason);
    job.left?.addEventListener('abort', leave);
    this.#waiting.push(waiting);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      job.left?.removeEventListener('abort', leave);
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
    }
  }

  /** Gives a free place to the first waiting job that may have it, before another can take it. */
  #admitWaiting(): void {
    const at = this.#waiting.findIndex(({ job }) => this.#takenFor(job) === undefined);
    if (at < 0) return;
    const [{ job, admit }] = this.#waiting.splice(at, 1) as [Waiting];
    admit(this.#start(job));
  }
}

/** The slices of a client's jobs: one at a time, with time for others after each. */
class ClientTurns {
  readonly #turns: Turns;
  #last: Promise<void> = Promise.resolve();
  jobs = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  async slice<Result>(make: () => Result | Promise<Result>): Promise<Result> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    const start = this.#turns.now();
    try {
      return await make();
    } finally {
      this.#rest(this.#turns.now() - start).then(resolve, resolve);
    }
  }

  /** Others get time, unless a turn of the event loop shows that none waits. */
  async #rest(usedMs: number): Promise<void> {
    let owedMs = usedMs * REST_FACTOR;
    while (owedMs > 0) {
      const start = this.#turns.now();
      await this.#turns.next();
      const turnMs = this.#turns.now() - start;
      if (turnMs < IDLE_TURN_MS) return;
      owedMs -= turnMs;
    }
  }
}
