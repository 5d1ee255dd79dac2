/** The slices of long work in a thread: of each job, of each client, and of all of them. */
import { OF_ALL, rest, SLICE_MS, type Turns } from './pauses.ts';

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
   * Ends the slice, if there is one, and begins the next. A slice can be wanted after the job has ended:
   * by what reads ahead, and for others that wait for the same answer.
   */
  async next(): Promise<void> {
    if (this.#isClosed) {
      await this.#starts.next(() => true);
      return;
    }
    this.#beginning ??= this.#begin().finally(() => {
      this.#beginning = undefined;
    });
    await this.#beginning;
  }

  async #begin(): Promise<void> {
    this.end();
    this.#end = await this.#client.begin(this.#starts, () => !this.#isClosed);
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

interface WantedStart {
  readonly begin: () => void;
  /** Else it begins too, but takes no time from others. */
  readonly isWanted: () => boolean;
}

/**
 * The beginnings of all slices of a thread. After each of them, others get as much time as it took,
 * if they wait: so a request waits for one slice and not for those of all clients, and the thread
 * accepts new connections, of which each turn of the event loop accepts one.
 */
export class SliceStarts {
  readonly #turns: Turns;
  /** First slices of jobs and later ones take turns: a short job is all in its first slice. */
  readonly #first: WantedStart[] = [];
  readonly #later: WantedStart[] = [];
  #wasFirst = false;
  #isResting = false;
  /** How many have begun. */
  count = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /**
   * Returns undefined if the first slice of a job has begun at once. Otherwise returns a promise that
   * resolves when it begins, and rejects if its client leaves before.
   */
  first(leftOf: () => AbortSignal | undefined): Promise<void> | undefined {
    if (!this.#isResting) return this.#begin();
    const left = leftOf();
    return unlessLeft(
      this.#wait(this.#first, () => left?.aborted !== true),
      left,
    );
  }

  /** Resolves when a later slice begins. */
  async next(isWanted: () => boolean): Promise<void> {
    await (this.#isResting ? this.#wait(this.#later, isWanted) : this.#begin());
  }

  #wait(queue: WantedStart[], isWanted: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push({ begin: resolve, isWanted });
    return promise;
  }

  #begin(): undefined {
    this.count += 1;
    this.#isResting = true;
    const end = () => {
      this.#isResting = false;
      this.#beginNext();
    };
    this.#rest().then(end, end);
  }

  async #rest(): Promise<void> {
    const start = this.#turns.now();
    // The turn of the slice, and all else that it does.
    await this.#turns.next();
    await rest(this.#turns.now() - start, this.#turns, OF_ALL);
  }

  #beginNext(): void {
    for (;;) {
      const isFirst = this.#later.length === 0 || (this.#first.length > 0 && !this.#wasFirst);
      const wanted = (isFirst ? this.#first : this.#later).shift();
      if (wanted === undefined) return;
      const isWanted = wanted.isWanted();
      if (isWanted) {
        this.#wasFirst = isFirst;
        this.#begin();
      }
      wanted.begin();
      if (isWanted) return;
    }
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
  async begin(starts: SliceStarts, isWanted: () => boolean): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    if (isWanted()) await starts.next(isWanted);
    const start = this.#turns.now();
    return () => {
      rest(this.#turns.now() - start, this.#turns).then(resolve, resolve);
    };
  }
}
