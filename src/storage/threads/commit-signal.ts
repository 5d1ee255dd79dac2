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
