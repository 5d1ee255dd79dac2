/** A run of bytes that is cut out of a stream of chunks, up to a size. */

/** Positions are those in the chunk that is being read; what goes on beyond its end is kept. */
export class Piece {
  readonly #bytesMax: number;
  /** What earlier chunks had of it. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Where it goes on in this chunk; negative while nothing is taken. */
  #from = NOWHERE;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  begin(at: number): void {
    this.drop();
    this.#from = at;
  }

  /** All of it before a position; nothing where that is too much. */
  peek(chunk: Buffer, end: number): Buffer | undefined {
    const last = chunk.subarray(this.#from, end);
    if (this.#keptBytes + last.length > this.#bytesMax) return undefined;
    return this.#kept.length === 0 ? last : Buffer.concat([...this.#kept, last]);
  }

  /** The same, and then it is over. */
  end(chunk: Buffer, end: number): Buffer | undefined {
    const bytes = this.peek(chunk, end);
    this.drop();
    return bytes;
  }

  /** Leaves out what follows until it is resumed. */
  pause(chunk: Buffer, end: number): void {
    this.#keep(chunk.subarray(this.#from, end));
    this.#from = NOWHERE;
  }

  resume(at: number): void {
    this.#from = at;
  }

  drop(): void {
    this.#kept = [];
    this.#keptBytes = 0;
    this.#from = NOWHERE;
  }

  /** At the end of a chunk. */
  keep(chunk: Buffer): void {
    if (this.#from === NOWHERE) return;
    this.#keep(chunk.subarray(this.#from));
    this.#from = 0;
  }

  /** A copy: the chunk's memory may be used again. Of what is too large only the size is kept. */
  #keep(bytes: Buffer): void {
    this.#keptBytes += bytes.length;
    if (this.#keptBytes <= this.#bytesMax) this.#kept.push(Buffer.from(bytes));
    else this.#kept = [];
  }
}

const NOWHERE = -1;
