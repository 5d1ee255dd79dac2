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

/** To call when a slice has ended. One that never says so is taken to last for a whole turn. */
export type EndSlice = () => void;

/** Further slices begin in the same turn of the event loop while those before took less than this. */
const SHORT_MS = 1;

interface WantedStart {
  readonly begin: (end: EndSlice) => void;
  /** Else it begins too, but takes no time from others. */
  readonly isWanted: () => boolean;
}

/**
 * The beginnings of all slices of a thread. After the slices of a turn of the event loop, others get as
 * much time as these took, if they wait: so a request waits for one slice and not for those of all
 * clients, and the thread accepts new connections, of which each turn accepts one.
 */
export class SliceStarts {
  readonly #turns: Turns;
  /** First slices of jobs and later ones take turns: a short job is all in its first slice. */
  readonly #first: WantedStart[] = [];
  readonly #later: WantedStart[] = [];
  #wasFirst = false;
  /** Whether slices begin in this turn, others have their time, or no job wants a slice. */
  #phase: 'slices' | 'others' | 'idle' = 'idle';
  /** The slice of this turn that has not ended. */
  #running: EndSlice | undefined;
  /** What the slices of this turn took that have ended. */
  #usedMs = 0;
  /** How many have begun, and in how many turns. */
  count = 0;
  turnCount = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /**
   * Resolves when the first slice of a job begins. Rejects if its client leaves before. It is no promise
   * if the slice has begun at once.
   */
  first(leftOf: () => AbortSignal | undefined): Promise<EndSlice> | EndSlice {
    if (this.#mayBegin) return this.#begin();
    const left = leftOf();
    return unlessLeft(
      this.#wait(this.#first, () => left?.aborted !== true),
      left,
    );
  }

  /** Resolves when a later slice begins. */
  async next(isWanted: () => boolean): Promise<EndSlice> {
    return await (this.#mayBegin ? this.#begin() : this.#wait(this.#later, isWanted));
  }

  get #mayBegin(): boolean {
    if (this.#phase === 'idle') return true;
    return this.#phase === 'slices' && this.#running === undefined && this.#usedMs < SHORT_MS;
  }

  #wait(queue: WantedStart[], isWanted: () => boolean): Promise<EndSlice> {
    const { promise, resolve } = Promise.withResolvers<EndSlice>();
    queue.push({ begin: resolve, isWanted });
    return promise;
  }

  #begin(): EndSlice {
    this.count += 1;
    if (this.#phase !== 'slices') this.#beginTurn();
    const start = this.#turns.now();
    const end = () => {
      // Else it lasted for longer than its turn.
      if (this.#running !== end) return;
      this.#running = undefined;
      this.#usedMs += this.#turns.now() - start;
      if (this.#mayBegin) this.#beginNext();
    };
    this.#running = end;
    return end;
  }

  #beginTurn(): void {
    this.turnCount += 1;
    this.#phase = 'slices';
    const end = () => {
      this.#phase = 'idle';
      this.#beginNext();
    };
    this.#finishTurn().then(end, end);
  }

  async #finishTurn(): Promise<void> {
    const start = this.#turns.now();
    await this.#turns.next();
    const usedMs = this.#running === undefined ? this.#usedMs : this.#turns.now() - start;
    this.#phase = 'others';
    this.#running = undefined;
    this.#usedMs = 0;
    await rest(usedMs, this.#turns, OF_ALL);
  }

  #beginNext(): void {
    for (;;) {
      const isFirst = this.#later.length === 0 || (this.#first.length > 0 && !this.#wasFirst);
      const wanted = (isFirst ? this.#first : this.#later).shift();
      if (wanted === undefined) return;
      if (wanted.isWanted()) {
        this.#wasFirst = isFirst;
        wanted.begin(this.#begin());
        return;
      }
      wanted.begin(() => {});
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
    const endSlice = isWanted() ? await starts.next(isWanted) : undefined;
    const start = this.#turns.now();
    return () => {
      endSlice?.();
      rest(this.#turns.now() - start, this.#turns).then(resolve, resolve);
    };
  }
}
