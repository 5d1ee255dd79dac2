/**
 * Writes the lines of the log. Answers matter more than lines: a line that cannot be written is
 * dropped and counted, and nothing here throws or waits for a reader that is too slow.
 */
import { fstatSync, write, writeSync } from 'node:fs';
import type { LossCounter, LostLines } from './lost-lines.ts';

/** The file of the log. Both functions pass the number of bytes that were written, maybe not all. */
export interface LogFile {
  /**
   * The most bytes that a call writes as one. Of more, a pipe may take a part, and what another
   * thread writes then comes in between.
   */
  readonly bytesMax: number;
  writeSync(bytes: Uint8Array): number;
  write(bytes: Uint8Array, done: (error: Error | null, written: number) => void): void;
}

function standardOutput(): LogFile {
  const stats = fstatSync(STANDARD_OUTPUT);
  return {
    bytesMax: stats.isFIFO() || stats.isSocket() ? PIPE_BYTES_MAX : Number.POSITIVE_INFINITY,
    writeSync: (bytes) => writeSync(STANDARD_OUTPUT, bytes),
    write: (bytes, done) => write(STANDARD_OUTPUT, bytes, done),
  };
}

const STANDARD_OUTPUT = 1;

/** `PIPE_BUF` of Linux: a pipe takes so many bytes whole, or none of them. So does a socket. */
const PIPE_BYTES_MAX = 4096;

export interface LogOutputOptions {
  /** Whether lines are collected for a quarter of a second. Otherwise each is written at once. */
  readonly isBuffered: boolean;
  readonly losses: LossCounter;
  /** The line about lost lines, with its line break. */
  readonly reportOf: (lost: LostLines) => string;
  readonly file?: LogFile;
}

/** Lines that are written together, in one call of the system or several. */
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
  #isEnding = false;

  constructor(options: LogOutputOptions) {
    this.#options = options;
    this.#file = options.file ?? standardOutput();
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
    if (this.#isBuffered()) this.#startIfFull();
    else this.#writeNow();
  }

  /** Writes what waits, and a report of lost lines. Call it every quarter of a second. */
  tick(): void {
    if (this.#isBuffered()) this.#start();
    else this.#writeNow();
  }

  /**
   * Before the end of the thread: writes what waits, gives a slow reader two seconds, and counts
   * what it did not take. If a write has begun, that happens when it ends: a thread ends after its
   * writes. Lines that follow are not buffered.
   */
  flush(): void {
    this.#isEnding = true;
    for (let tries = 0; tries < FLUSH_TRIES; tries++) {
      if (this.#writeNow()) return;
      Atomics.wait(NEVER, 0, 0, BUSY_MS);
    }
    const unfinished = this.#unfinished;
    this.#unfinished = undefined;
    if (unfinished !== undefined) this.#drop(unfinished);
    const waiting = this.#next();
    if (waiting !== undefined) this.#drop(waiting);
  }

  #isBuffered(): boolean {
    return this.#options.isBuffered && !this.#isEnding;
  }

  /** Returns false if the reader has no room now. */
  #writeNow(): boolean {
    // When that write ends, it continues with the rest.
    if (this.#isWriting) return true;
    for (let piece = this.#next(); piece !== undefined; piece = this.#next()) {
      try {
        while (piece.written < piece.bytes.length) {
          piece.written += this.#file.writeSync(this.#nextLines(piece));
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
    this.#file.write(this.#nextLines(piece), (error, written) => {
      if (error === null) {
        piece.written += written;
        if (piece.written < piece.bytes.length) {
          this.#continue(piece);
          return;
        }
      } else if (isBusy(error)) {
        this.#unfinished = piece;
        if (!this.#isEnding) setTimeout(() => this.tick(), BUSY_MS).unref();
      } else this.#drop(piece, error);
      this.#isWriting = false;
      if (this.#isEnding) this.flush();
      else this.#startIfFull();
    });
  }

  /** As many whole lines as the file takes in one call, or a longer one alone. */
  #nextLines({ bytes, written }: Piece): Uint8Array {
    const max = written + this.#file.bytesMax;
    if (max >= bytes.length) return bytes.subarray(written);
    const lastBreak = bytes.lastIndexOf(LINE_BREAK, max - 1);
    const end = lastBreak >= written ? lastBreak : bytes.indexOf(LINE_BREAK, max);
    return bytes.subarray(written, end < 0 ? bytes.length : end + 1);
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
  #drop({ bytes, written, endsLine, report, reportEnd }: Piece, error?: unknown): void {
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
