/** Counts the lines of the log that could not be written, in memory that all threads share. */

export interface LostLines {
  readonly count: number;
  /** The system's number of the last error (`-28`); 0 if the reader of the log is too slow. */
  readonly errno: number;
}

const TOTAL = 0;
const UNREPORTED = 1;
const ERRNO = 2;
const HAS_CUT_LINE = 3;
const CELLS = 4;

export function createLossMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT);
}

/** The lost lines of all threads since the start of the server. */
export function countLostLines(memory: SharedArrayBuffer): number {
  return Number(Atomics.load(new BigInt64Array(memory), TOTAL));
}

/** The losses as one thread sees them. The log has each loss once, whichever thread writes it. */
export class LossCounter {
  readonly #cells: BigInt64Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new BigInt64Array(memory);
  }

  add({ count, errno }: LostLines): void {
    if (count === 0) return;
    Atomics.add(this.#cells, TOTAL, BigInt(count));
    this.putBack({ count, errno });
  }

  /** Whether the log ends with the beginning of a line. The caller ends it, or marks it again. */
  takeCutLine(): boolean {
    return Atomics.exchange(this.#cells, HAS_CUT_LINE, 0n) === 1n;
  }

  markCutLine(): void {
    Atomics.store(this.#cells, HAS_CUT_LINE, 1n);
  }

  /** What the log lacks. The caller writes it, or puts it back. */
  take(): LostLines | undefined {
    const count = Number(Atomics.exchange(this.#cells, UNREPORTED, 0n));
    return count === 0 ? undefined : { count, errno: Number(this.#cells[ERRNO]) };
  }

  /** For a report that could not be written either. */
  putBack({ count, errno }: LostLines): void {
    Atomics.store(this.#cells, ERRNO, BigInt(errno));
    Atomics.add(this.#cells, UNREPORTED, BigInt(count));
  }
}
