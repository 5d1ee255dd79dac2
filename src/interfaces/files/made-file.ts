/** Answers with files of an edition that another thread made. */
import { closeSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { OpenDownload } from '../../fhir/service/interaction.ts';
import type { Pieces } from '../answer/kept-answers.ts';
import type { LongAnswer, LongAnswers } from '../answer/long-answers.ts';

const readAsync = promisify(read);

/** A piece takes several turns of the event loop. A slow client holds about three of them. */
const PIECE_BYTES = 256 * 1024;

/** Opens it at once: it is removed when another edition becomes the current one. */
export function openMadeFile(path: string): MadeFile | undefined {
  try {
    return new MadeFile(openSync(path, 'r'));
  } catch {
    return undefined;
  }
}

/**
 * An open file, which one caller reads. Pieces that were released are read into again: new memory for
 * each piece would make the garbage collector as busy as all else.
 */
export class MadeFile {
  readonly #file: number;
  readonly #own = new WeakSet<ArrayBufferLike>();
  readonly #free: ArrayBufferLike[] = [];
  #isReading = false;
  #isClosed = false;

  constructor(file: number) {
    this.#file = file;
  }

  /** To read once, from the beginning. Closes the file at the end, or when the caller stops. */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      while (!this.#isClosed) {
        const target = new Uint8Array(this.#free.pop() ?? this.#newMemory());
        const bytesRead = await this.#readInto(target);
        if (bytesRead === 0) return;
        yield target.subarray(0, bytesRead);
      }
    } finally {
      this.close();
    }
  }

  /** Call it once, when a piece is no longer used. Other bytes make no difference. */
  release({ buffer }: Uint8Array): void {
    if (this.#own.has(buffer)) this.#free.push(buffer);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Another file could get the number while this one is read.
    if (!this.#isReading) closeSync(this.#file);
  }

  async #readInto(target: Uint8Array): Promise<number> {
    this.#isReading = true;
    try {
      const { bytesRead } = await readAsync(this.#file, target, 0, target.length, null);
      return bytesRead;
    } finally {
      this.#isReading = false;
      if (this.#isClosed) closeSync(this.#file);
    }
  }

  #newMemory(): ArrayBufferLike {
    const { buffer } = Buffer.allocUnsafeSlow(PIECE_BYTES);
    this.#own.add(buffer);
    return buffer;
  }
}

/** Closes the file also if the client leaves early, or gets no place. */
export async function answerMadeFile(
  file: MadeFile,
  answer: LongAnswer,
  longAnswers: LongAnswers,
  asked: Parameters<OpenDownload['pieces']>,
): Promise<Pieces> {
  try {
    const [, , left] = asked;
    left?.addEventListener('abort', () => file.close());
    return await longAnswers.pieces(answer)(...asked);
  } catch (error) {
    file.close();
    throw error;
  }
}
