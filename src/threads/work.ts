/**
 * Long work of a thread: how much of it runs at a time, in slices that let other requests go first,
 * and no more of one client than its share.
 */
import { EVENT_LOOP, type Pause, SLICE_MS, type Turns } from './pauses.ts';
import { ClientTurns, SliceStarts, Slices, unlessLeft } from './slices.ts';

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
  /** Divides a slice that may be long: to await after each piece of it. */
  readonly pause: Pause;
  /** Whether the slice has taken its time, or there is none, so that the pause waits. */
  isOver(): boolean;
  end(): void;
}

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
  readonly #starts: SliceStarts;

  constructor(limits: WorkLimits, turns: Turns = EVENT_LOOP) {
    this.#limits = limits;
    this.#turns = turns;
    this.#starts = new SliceStarts(turns);
  }

  /** The numbers of jobs that have a place, and of those that wait for one. */
  get counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running.size, waiting: this.#waiting.length };
  }

  /** How many slices have begun. */
  get sliceCount(): number {
    return this.#starts.count;
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

  /**
   * Resolves when a first slice may begin: at once, unless it is the turn of other requests. Rejects
   * with the reason of the signal if the client leaves before.
   */
  async begin(leftOf: () => AbortSignal | undefined): Promise<void> {
    await this.#starts.first(leftOf);
  }

  /**
   * Runs a job in slices: `make` awaits the pause after each piece of it, never twice at a time. A job
   * that ends within its first slice needs no place, so that small requests pay nothing; `jobOf` is
   * called for others, and while other jobs have their slices. Rejects as `enter`, and with the reason
   * of `left` before a slice.
   */
  async run<Result>(
    jobOf: () => Job,
    make: (pause: Pause) => Result | Promise<Result>,
  ): Promise<Result> {
    await this.begin(() => jobOf().left);
    const firstEnd = this.#turns.now() + SLICE_MS;
    let place: WorkPlace | undefined;
    let left: AbortSignal | undefined;
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
      place?.end();
    };
    const enter = async (): Promise<void> => {
      await this.#turns.next();
      if (hasEnded) return;
      const job = jobOf();
      left = job.left;
      place = await this.enter(job);
    };
    const next = async (): Promise<void> => {
      if (place === undefined) await enter();
      // What reads ahead awaits the pause also after the job has ended: it gets no place.
      if (hasEnded || place === undefined) {
        end();
        await this.#turns.next();
        return;
      }
      try {
        await unlessLeft(Promise.resolve(place.pause()), left);
      } catch (error) {
        end();
        throw error;
      }
    };
    const isOver = () => place?.isOver() ?? this.#turns.now() >= firstEnd;
    try {
      return await make(() => (isOver() ? next() : undefined));
    } finally {
      end();
    }
  }

  #start(job: Job): WorkPlace {
    this.#running.add(job);
    const turns = this.#turnsOf(job.client);
    turns.jobs += 1;
    const slices = new Slices(turns, this.#starts, this.#turns);
    return {
      slice: (make) => slices.run(make),
      isOver: () => slices.isOver,
      pause: () => (slices.isOver ? slices.next() : undefined),
      end: () => {
        slices.close();
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
    // At once, so that no place is given to a job that has given up.
    const giveUp = (reason: unknown): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(reason);
    };
    const timer = setTimeout(() => {
      giveUp(new NoPlaceError(this.#takenFor(job) ?? 'inAll'));
    }, this.#limits.waitMs);
    const leave = () => giveUp(job.left?.reason);
    job.left?.addEventListener('abort', leave);
    this.#waiting.push(waiting);
    try {
      const place = await promise;
      if (job.left?.aborted !== true) return place;
      place.end();
      throw job.left.reason;
    } finally {
      clearTimeout(timer);
      job.left?.removeEventListener('abort', leave);
    }
  }

  /**
   * Gives free places to waiting jobs in their order, before others can take them. One place that
   * ends can be what several wait for: one its kind, another its client.
   */
  #admitWaiting(): void {
    for (let at = 0; at < this.#waiting.length; ) {
      const { job, admit } = this.#waiting[at]!;
      if (this.#takenFor(job) === undefined) {
        this.#waiting.splice(at, 1);
        admit(this.#start(job));
      } else at += 1;
    }
  }
}
