/** The bytes of answers that are dear to make, kept for the next request. */

/** Bytes in pieces, which are made while they are read. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

type Make = (unwanted: AbortSignal) => Pieces;

/** What an answer is kept under. */
export interface AnswerKey {
  /** What the answer was made from: it is kept no longer than this. */
  readonly owner: object;
  /** All else that it depends on. */
  readonly name: string;
}

export interface KeptAnswers {
  /**
   * The pieces of an answer: kept ones, or those that `make` makes, which are kept while they are
   * read. Readers at the same time share the making. `unwanted` aborts when all of them have left:
   * `left` is the signal of this one.
   */
  open(key: AnswerKey, make: Make, left?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Whether all of the answer is kept, so that nothing is left to make. */
  isWhole(key: AnswerKey): boolean;
  /** Drops the answers whose owner is not among these. */
  retain(owners: ReadonlySet<object>): void;
  /** The bytes that are kept now. */
  readonly bytes: number;
}

/** An answer of more than this part of all bytes is not kept. */
const LARGEST_PART = 2;

/** What an answer takes besides its pieces, so that the number of short ones is bounded too. */
const ENTRY_BYTES = 1024;

/** Keeps at most `bytesMax` bytes; those that were not asked for longest go first. */
export function createKeptAnswers(bytesMax: number): KeptAnswers {
  /** The one that was asked for last is last. */
  const kept = new Map<string, KeptAnswer>();
  const numbers = new WeakMap<object, number>();
  let numbered = 0;
  let bytes = 0;

  const keyOf = ({ owner, name }: AnswerKey): string => {
    let number = numbers.get(owner);
    if (number === undefined) {
      number = numbered++;
      numbers.set(owner, number);
    }
    return `${number} ${name}`;
  };
  const drop = (key: string, answer: KeptAnswer): void => {
    if (kept.get(key) !== answer) return;
    kept.delete(key);
    bytes -= answer.bytes;
    answer.isKept = false;
  };
  const grow = (key: string, answer: KeptAnswer, length: number): void => {
    if (kept.get(key) !== answer) return;
    bytes += length;
    if (answer.bytes > bytesMax / LARGEST_PART) drop(key, answer);
    for (const [oldest, other] of kept) {
      if (bytes <= bytesMax) return;
      drop(oldest, other);
    }
  };

  return {
    open: (wanted, make, left) => {
      const key = keyOf(wanted);
      let answer = kept.get(key);
      if (answer === undefined) {
        const made: KeptAnswer = new KeptAnswer(wanted.owner, make, {
          grow: (length) => grow(key, made, length),
          drop: () => drop(key, made),
        });
        answer = made;
        kept.set(key, answer);
        grow(key, answer, ENTRY_BYTES);
      } else {
        kept.delete(key);
        kept.set(key, answer);
      }
      return answer.read(left);
    },
    isWhole: (wanted) => kept.get(keyOf(wanted))?.isWhole === true,
    retain: (owners) => {
      for (const [key, answer] of kept) if (!owners.has(answer.owner)) drop(key, answer);
    },
    get bytes() {
      return bytes;
    },
  };
}

interface Changes {
  /** The answer has become longer. */
  readonly grow: (length: number) => void;
  /** The answer cannot be kept: it failed, or no client reads it to its end. */
  readonly drop: () => void;
}

/** An answer that is being made, or that is whole. */
class KeptAnswer {
  readonly owner: object;
  readonly #make: Make;
  readonly #changes: Changes;
  #source: AsyncIterator<Uint8Array> | Iterator<Uint8Array> | undefined;
  /** Those before `#first` are gone, because the answer is not kept and all readers have them. */
  #pieces: Uint8Array[] = [];
  #first = 0;
  /** The next piece, while it is made. */
  #next: Promise<void> | undefined;
  #unwanted = new AbortController();
  /** Where each reader is. */
  readonly #readers = new Set<{ at: number }>();
  #fault: unknown;
  bytes = ENTRY_BYTES;
  isKept = true;
  isWhole = false;

  constructor(owner: object, make: Make, changes: Changes) {
    this.owner = owner;
    this.#make = make;
    this.#changes = changes;
  }

  async *read(left?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = { at: 0 };
    const end = async () => {
      this.#readers.delete(reader);
      if (this.#readers.size === 0 && !this.isWhole) await this.#abandon();
    };
    // While the reader waits for a piece, the end below comes only after the piece.
    const leave = () => {
      end().catch(ignore);
    };
    this.#readers.add(reader);
    left?.addEventListener('abort', leave, { once: true });
    try {
      while (left?.aborted !== true) {
        const piece = this.#pieces[reader.at - this.#first];
        if (piece !== undefined) {
          reader.at += 1;
          this.#forget();
          yield piece;
        } else if (this.isWhole) return;
        else await this.#advance();
      }
    } finally {
      left?.removeEventListener('abort', leave);
      await end();
    }
  }

  /** Makes one more piece. Readers that wait for it share it. */
  #advance(): Promise<void> {
    this.#next ??= this.#makeNext().finally(() => {
      this.#next = undefined;
    });
    return this.#next;
  }

  async #makeNext(): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    const { signal } = this.#unwanted;
    try {
      this.#source ??= iteratorOf(this.#make(signal));
      const { done, value } = await this.#source.next();
      // What ends because it is unwanted is not whole.
      if (signal.aborted) return;
      if (done === true) this.isWhole = true;
      else {
        this.#pieces.push(value);
        this.bytes += value.length;
        this.#changes.grow(value.length);
      }
    } catch (fault) {
      if (signal.aborted) return;
      // An iterator that has failed ends without an error the next time.
      this.#fault = fault;
      this.#changes.drop();
      throw fault;
    }
  }

  /** Forgets what all readers have, if the answer is not kept. */
  #forget(): void {
    if (this.isKept) return;
    const least = Math.min(...Array.from(this.#readers, ({ at }) => at));
    this.#pieces = this.#pieces.slice(least - this.#first);
    this.#first = least;
  }

  /**
   * Half an answer would hold what it is made from. A reader that was opened but has not begun makes
   * it anew.
   */
  async #abandon(): Promise<void> {
    this.#changes.drop();
    const source = this.#source;
    this.#unwanted.abort();
    this.#unwanted = new AbortController();
    this.#source = undefined;
    this.#pieces = [];
    this.#first = 0;
    await source?.return?.();
  }
}

/** No reader is left that could hear why the end of the making failed. */
function ignore(): void {}

export function iteratorOf(pieces: Pieces): AsyncIterator<Uint8Array> | Iterator<Uint8Array> {
  return Symbol.asyncIterator in pieces
    ? pieces[Symbol.asyncIterator]()
    : pieces[Symbol.iterator]();
}
