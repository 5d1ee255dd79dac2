/**
 * Writes the lines of the log. Answers matter more than lines: a line that cannot be written is
 * dropped and counted, and nothing here throws or waits for a reader that is too slow.
 */
import { write, writeSync } from 'node:fs';
import type { LossCounter, LostLines } from './lost-lines.ts';

/** The file of the log. Both functions pass the number of bytes that were written, maybe not all. */
export interface LogFile {
  writeSync(bytes: Uint8Array): number;
  write(bytes: Uint8Array, done: (error: Error | null, written: number) => void): void;
}

const STANDARD_OUTPUT: LogFile = {
  writeSync: (bytes) => writeSync(1, bytes),
  write: (bytes, done) => write(1, bytes, done),
};

export interface LogOutputOptions {
  /** Whether lines are collected for a quarter of a second. Otherwise each is written at once. */
  readonly isBuffered: boolean;
  readonly losses: LossCounter;
  /** The line about lost lines, with its line break. */
  readonly reportOf: (lost: LostLines) => string;
  readonly file?: LogFile;
}

/** What one call of the system should write. */
interface Piece {
  readonly bytes: Buffer;
  written: number;
  /** Whether the piece begins with the end of a line that is cut off in the file. */
  readonly endsLine: boolean;
  /** The report at the beginning of the piece, and where it ends. */
  readonly report: LostLines | undefined;
  readonly reportEnd: number;
}

export class LogOutput {
  readonly #options: LogOutputOptions;
  readonly #file: LogFile;
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** A piece that the reader of a pipe had no room for. */
  #unfinished: Piece | undefined;
  #isWriting = false;

  constructor(options: LogOutputOptions) {
    this.#options = options;
    this.#file = options.file ?? STANDARD_OUTPUT;
  }

  /** One or several whole lines. */
  write(lines: string): void {
    const bytes = Buffer.byteLength(lines);
    if (this.#waitingBytes + bytes > WAITING_BYTES_MAX) {
      this.#options.losses.add({ count: lines.split('\n').length - 1, errno: 0 });
      return;
    }
    this.#waiting.push(lines);
    this.#waitingBytes += bytes;
    if (!this.#options.isBuffered) this.#writeNow();
    else this.#startIfFull();
  }

  /** Writes what waits, and a report of lost lines. Call it every quarter of a second. */
  tick(): void {
    if (this.#options.isBuffered) this.#start();
    else this.#writeNow();
  }

  /** Before the end of the thread: writes what waits, and gives a slow reader two seconds. */
  flush(): void {
    for (let tries = 0; tries < FLUSH_TRIES && !this.#writeNow(); tries++) {
      Atomics.wait(NEVER, 0, 0, BUSY_MS);
    }
  }

  /** Returns false if the reader has no room now. */
  #writeNow(): boolean {
    for (let piece = this.#next(); piece !== undefined; piece = this.#next()) {
      try {
        while (piece.written < piece.bytes.length) {
          piece.written += this.#file.writeSync(piece.bytes.subarray(piece.written));
        }
      } catch (error) {
        if (isBusy(error)) {
          this.#unfinished = piece;
          return false;
        }
        this.#drop(piece, error);
      }
      if (this.#waiting.length === 0) break;
    }
    return true;
  }

  /** The buffered lines are written while the thread continues. */
  #start(): void {
    if (this.#isWriting) return;
    const piece = this.#next();
    if (piece === undefined) return;
    this.#isWriting = true;
    this.#continue(piece);
  }

  #continue(piece: Piece): void {
    this.#file.write(piece.bytes.subarray(piece.written), (error, written) => {
      if (error === null) {
        piece.written += written;
        if (piece.written < piece.bytes.length) {
          this.#continue(piece);
          return;
        }
      } else if (isBusy(error)) {
        this.#unfinished = piece;
        setTimeout(() => this.#start(), BUSY_MS).unref();
      } else this.#drop(piece, error);
      this.#isWriting = false;
      this.#startIfFull();
    });
  }

  /** A reader that has no room is asked again later, not for each line. */
  #startIfFull(): void {
    if (this.#waitingBytes >= PIECE_BYTES && this.#unfinished === undefined) this.#start();
  }

  /** Everything that waits, after a report of lost lines if there are any. */
  #next(): Piece | undefined {
    const unfinished = this.#unfinished;
    if (unfinished !== undefined) {
      this.#unfinished = undefined;
      return unfinished;
    }
    const { losses, reportOf } = this.#options;
    const report = losses.take();
    if (report === undefined && this.#waiting.length === 0) return undefined;
    const endsLine = losses.takeCutLine();
    const start = (endsLine ? '\n' : '') + (report === undefined ? '' : reportOf(report));
    const bytes = Buffer.from(start + this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingBytes = 0;
    return { bytes, written: 0, endsLine, report, reportEnd: Buffer.byteLength(start) };
  }

  /** Counts the lines that are lost with the piece, and keeps its report for the next attempt. */
  #drop({ bytes, written, endsLine, report, reportEnd }: Piece, error: unknown): void {
    const { losses } = this.#options;
    if (report !== undefined && written < reportEnd) losses.putBack(report);
    const count = lineBreaksIn(bytes.subarray(Math.max(written, reportEnd)));
    losses.add({ count, errno: errnoOf(error) });
    const isCut = written === 0 ? endsLine : bytes[written - 1] !== LINE_BREAK;
    if (isCut) losses.markCutLine();
  }
}

function lineBreaksIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === LINE_BREAK) count++;
  return count;
}

const LINE_BREAK = 0x0a;

/** Whether a pipe is full for the moment. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

function errnoOf(error: unknown): number {
  return error instanceof Error && 'errno' in error ? Number(error.errno) : 0;
}

const PIECE_BYTES = 8 * 1024;
/** The most that waits for a reader. Without a limit, a reader that stops would fill the memory. */
const WAITING_BYTES_MAX = 4 * 1024 ** 2;
const BUSY_MS = 5;
const FLUSH_TRIES = 2000 / BUSY_MS;
const NEVER = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
