/** The slices of long work in a thread: of each job, of each client, and of all of them. */
import { rest, SLICE_MS, type Turns } from './pauses.ts';

/** Rejects with the reason of the signal when it aborts. */
export async function unlessLeft<Result>(
  waiting: Promise<Result>,
  left: AbortSignal | undefined,
): Promise<Result> {
  if (left === undefined) return await waiting;
  left.throwIfAborted();
  const gone = Promise.withResolvers<never>();
  const leave = () => gone.reject(left.reason);
  left.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([waiting, gone.promise]);
  } finally {
    left.removeEventListener('abort', leave);
  }
}

/** The slices of one job. */
export class Slices {
  readonly #client: ClientTurns;
  readonly #starts: SliceStarts;
  readonly #turns: Turns;
  #end: (() => void) | undefined;
  #endMs = 0;
  /** The beginning of the next slice. Whoever wants one meanwhile gets the same. */
  #beginning: Promise<void> | undefined;
  #isClosed = false;

  constructor(client: ClientTurns, starts: SliceStarts, turns: Turns) {
    this.#client = client;
    this.#starts = starts;
    this.#turns = turns;
  }

  get isOver(): boolean {
    return this.#turns.now() >= this.#endMs;
  }

  async run<Result>(make: () => Result | Promise<Result>): Promise<Result> {
    await this.next();
    try {
      return await make();
    } finally {
      this.end();
    }
  }

  /**
   * Ends the slice, if there is one, and begins the next. What reads ahead can want a slice when the
   * job has ended: it gets a turn of the event loop.
   */
  async next(): Promise<void> {
    if (this.#isClosed) {
      await this.#turns.next();
      return;
    }
    this.#beginning ??= this.#begin().finally(() => {
      this.#beginning = undefined;
    });
    await this.#beginning;
  }

  async #begin(): Promise<void> {
    this.end();
    this.#end = await this.#client.begin(this.#starts);
    this.#endMs = this.#turns.now() + SLICE_MS;
    if (this.#isClosed) this.end();
  }

  end(): void {
    this.#end?.();
    this.#end = undefined;
    this.#endMs = 0;
  }

  /** After the job: a slice that begins later ends at once. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }
}

/**
 * No two slices begin in one turn of the event loop, so that a request waits for one of them and not
 * for those of all clients.
 */
export class SliceStarts {
  readonly #turns: Turns;
  #free: Promise<unknown> = Promise.resolve();
  count = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  async next(): Promise<void> {
    const free = this.#free;
    this.#free = free.then(() => this.#turns.next());
    await free;
    this.count += 1;
  }
}

/** The slices of a client's jobs: one at a time, with time for others after each. */
export class ClientTurns {
  readonly #turns: Turns;
  #last: Promise<void> = Promise.resolve();
  jobs = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Resolves when a slice may begin, with what ends it. */
  async begin(starts: SliceStarts): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    await starts.next();
    const start = this.#turns.now();
    return () => {
      rest(this.#turns.now() - start, this.#turns).then(resolve, resolve);
    };
  }
}
