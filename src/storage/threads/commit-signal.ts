/** Tells the threads of this process that versions were committed, over shared memory. */

/** The numbers of the cells: commits so far, and readers that wait now. */
const [COMMITS, WAITING] = [0, 1];

export const COMMIT_SIGNAL_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;

export class CommitSignal {
  readonly #cells: Int32Array<SharedArrayBuffer>;

  /** `offset`: where the signal begins in the memory; a multiple of four. */
  constructor(memory: SharedArrayBuffer, offset: number) {
    this.#cells = new Int32Array(memory, offset, 2);
  }

  /** Changes with each announcement. */
  get count(): number {
    return Atomics.load(this.#cells, COMMITS);
  }

  /** Whether any thread has a reader that waits. */
  get isAwaited(): boolean {
    return Atomics.load(this.#cells, WAITING) > 0;
  }

  announce(): void {
    Atomics.add(this.#cells, COMMITS, 1);
    Atomics.notify(this.#cells, COMMITS);
  }

  /** Counts the readers that wait. */
  changeWaiting(by: 1 | -1): void {
    Atomics.add(this.#cells, WAITING, by);
  }

  /** Resolves when the count differs from this one. No thread is held meanwhile. */
  async after(count: number): Promise<void> {
    await Atomics.waitAsync(this.#cells, COMMITS, count).value;
  }
}

/** A reader learns of a change within about this time. */
export const LOOK_FOR_CHANGES_MS = 250;

/**
 * Returns a function to call every `LOOK_FOR_CHANGES_MS`. While a reader waits, it asks for the
 * newest version that pages of changes can have, and announces each new one. A version of this
 * server is announced too: while an older transaction ran, its first announcement came too early.
 */
export function createChangeLook(
  signal: CommitSignal,
  newestPosition: () => Promise<string>,
): () => Promise<void> {
  let last: string | undefined;
  let isLooking = false;
  return async () => {
    if (!signal.isAwaited) last = undefined;
    if (!signal.isAwaited || isLooking) return;
    isLooking = true;
    try {
      const newest = await newestPosition();
      if (newest !== last) signal.announce();
      last = newest;
    } finally {
      isLooking = false;
    }
  };
}
