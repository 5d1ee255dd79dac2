/**
 * Reads the records of a large release with several threads. Each thread gets the head of the file,
 * and slices that end after an Organisation element.
 *
 * If everything before a cut was read as whole records, the cut is at the end of a record. If a
 * thread cannot read a slice as whole records, this thread reads that slice and everything after it.
 * So the result is the same as that of one thread.
 */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { KnownRecords, SourceReceiver } from '../../directory/record/source.ts';
import { FOR_BACKGROUND } from '../../threads/heap-limits.ts';
import { SupervisedThread } from '../../threads/supervisor.ts';
import { transferablesOf } from '../../threads/transferables.ts';
import { wholeCharacters } from '../text/utf8-pieces.ts';
import type { ReleaseReading } from './parse/release-reading.ts';
import { RECORD_END, RecordPieces } from './record-pieces.ts';
import type { FromSliceThread, ReadSlice, SliceRequest, SliceThreadData } from './slice-thread.ts';

export interface ParallelReadingOptions {
  /** By default, the number of threads that the machine can run at once. */
  readonly threads?: number;
  /** The bytes that are read before the threads start. */
  readonly bytesBefore?: number;
  readonly sliceBytes?: number;
  /** The records of the current edition, which are not read again. */
  readonly known?: KnownRecords | undefined;
}

/** A slice that a thread reads. */
interface Slice {
  readonly memory: Buffer<SharedArrayBuffer>;
  readonly bytes: number;
  readonly reader: SliceReader;
  readonly result: Promise<ReadSlice | undefined>;
}

export class ParallelReading {
  readonly #reading: ReleaseReading;
  readonly #name: string;
  readonly #receiver: SourceReceiver;
  readonly #options: Required<Omit<ParallelReadingOptions, 'known'>>;
  readonly #pieces: RecordPieces;
  /** Decides where the next piece goes. */
  #phase: 'start' | 'slices' | 'alone';
  #bytes = 0;
  #head: Buffer[] = [];
  #readers: readonly SliceReader[] = [];
  /** The slices that threads read, in the order of the file. */
  readonly #slices: Slice[] = [];
  readonly #free: Buffer<SharedArrayBuffer>[] = [];
  /** The slice that is being filled. */
  #filling: Buffer<SharedArrayBuffer>;
  #filled = 0;
  #sliceCount = 0;

  /** Without options, all pieces go to `reading`. */
  constructor(
    reading: ReleaseReading,
    name: string,
    receiver: SourceReceiver,
    options: ParallelReadingOptions | undefined,
  ) {
    this.#reading = reading;
    this.#name = name;
    this.#receiver = receiver;
    this.#pieces = new RecordPieces(reading, receiver, options?.known);
    const { threads = Math.min(availableParallelism(), THREADS_MAX) } = options ?? {};
    const { bytesBefore = BYTES_BEFORE, sliceBytes = SLICE_BYTES } = options ?? {};
    this.#options = { threads, bytesBefore, sliceBytes };
    this.#phase = options !== undefined && receiver.encoded !== undefined ? 'start' : 'alone';
    this.#filling = NO_MEMORY;
  }

  /** The next bytes of the file: UTF-8, whole characters, no byte order mark. */
  async write(piece: Buffer): Promise<void> {
    if (this.#phase === 'slices') return await this.#fill(piece);
    if (this.#phase === 'start') return await this.#begin(piece);
    this.#pieces.write(piece);
  }

  /** Waits until everything written has been read. */
  async end(): Promise<void> {
    if (this.#phase !== 'slices') {
      this.#pieces.flush();
      return;
    }
    while (this.#slices.length > 0) await this.#takeFirst();
    this.#readAlone();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.stop()));
  }

  /** Reads a piece before the threads start, and starts them if the file is large enough. */
  async #begin(piece: Buffer): Promise<void> {
    const { headBytes } = this.#reading;
    if (headBytes === undefined) this.#head.push(Buffer.from(piece));
    this.#bytes += piece.length;
    if (headBytes === undefined && this.#bytes > HEAD_BYTES_MAX) this.#phase = 'alone';
    const { threads, bytesBefore } = this.#options;
    const isLarge = headBytes !== undefined && this.#bytes >= bytesBefore && threads > 1;
    if (isLarge && this.#pieces.areMostlyKnown) this.#phase = 'alone';
    const startsThreads = isLarge && this.#phase === 'start';
    const startsPieces = headBytes !== undefined && !this.#pieces.hasStarted;
    const cut = piece.indexOf(RECORD_END) + RECORD_END.length;
    if (cut < RECORD_END.length || !(startsThreads || startsPieces)) {
      this.#pieces.write(piece);
      return;
    }
    this.#pieces.write(piece.subarray(0, cut));
    if (!this.#reading.isBetweenRecords) {
      this.#pieces.write(piece.subarray(cut));
      return;
    }
    const head = Buffer.concat(this.#head).subarray(0, headBytes);
    // The records before it are read each time.
    if (startsPieces) this.#pieces.start(head);
    if (startsThreads) {
      this.#startThreads(head);
      await this.#fill(piece.subarray(cut));
    } else {
      this.#pieces.write(piece.subarray(cut));
    }
  }

  #startThreads(head: Buffer): void {
    const { threads, sliceBytes } = this.#options;
    const workerData = { name: this.#name, head: Uint8Array.from(head) };
    this.#head = [];
    this.#readers = Array.from({ length: threads }, () => new SliceReader(workerData));
    this.#filling = newMemory(sliceBytes);
    // Each thread has a slice that waits while it reads another one.
    for (let i = 0; i < 2 * threads; i++) this.#free.push(newMemory(sliceBytes));
    this.#phase = 'slices';
  }

  async #fill(piece: Buffer): Promise<void> {
    let rest = piece;
    for (;;) {
      const room = this.#filling.length - this.#filled;
      // A slice has whole characters, because this thread may have to read it.
      const count = wholeCharacters(rest.subarray(0, room));
      rest.copy(this.#filling, this.#filled, 0, count);
      this.#filled += count;
      rest = rest.subarray(count);
      if (rest.length === 0) return;
      await this.#cut();
      if (this.#phase === 'alone') return this.#pieces.write(rest);
    }
  }

  /** Gives the whole records of a full slice to a thread. */
  async #cut(): Promise<void> {
    const memory = this.#filling;
    const full = memory.subarray(0, this.#filled);
    const cut = full.lastIndexOf(RECORD_END) + RECORD_END.length;
    if (cut < RECORD_END.length) {
      // Records of published files are much shorter.
      await this.end();
      return;
    }
    while (this.#free.length === 0 && this.#phase === 'slices') await this.#takeFirst();
    const next = this.#free.pop();
    if (next === undefined || this.#phase !== 'slices') return;
    this.#filled = full.copy(next, 0, cut);
    this.#filling = next;
    const reader = this.#readers[this.#sliceCount++ % this.#readers.length]!;
    const result = reader.read({ memory: memory.buffer, bytes: cut });
    this.#slices.push({ memory, bytes: cut, reader, result });
  }

  /** Waits until the first of the slices has been read, and reports its records. */
  async #takeFirst(): Promise<void> {
    const [first] = this.#slices;
    const slice = await first?.result;
    if (first === undefined) return;
    if (slice === undefined) {
      this.#readAlone();
      return;
    }
    this.#slices.shift();
    this.#free.push(first.memory);
    for (const one of slice.leftOut) this.#receiver.leftOut(...one);
    for (const one of slice.warnings) this.#receiver.warning(...one);
    this.#receiver.encoded?.(slice.records, first.reader);
    // The garbage collector may free the copied arrays much later.
    for (const memory of transferablesOf(slice.records)) memory.transfer(0);
    this.#reading.skip(first.bytes, slice.counts);
  }

  /** Reads the bytes that no thread has read, and all further ones, in this thread. */
  #readAlone(): void {
    this.#phase = 'alone';
    for (const { memory, bytes } of this.#slices.splice(0)) {
      this.#pieces.write(memory.subarray(0, bytes));
    }
    this.#pieces.write(this.#filling.subarray(0, this.#filled));
    this.#pieces.flush();
    this.#filled = 0;
  }
}

const SLICE_BYTES = 1 << 20;
/** The start of a thread takes as long as one thread needs to read this. */
const BYTES_BEFORE = 8 << 20;
/** The heads of published files have 50 KB. */
const HEAD_BYTES_MAX = 4 << 20;
/** More threads would wait for the unpacking. Each thread needs 40 MB. */
const THREADS_MAX = 4;
const NO_MEMORY = Buffer.from(new SharedArrayBuffer(0));

function newMemory(bytes: number): Buffer<SharedArrayBuffer> {
  return Buffer.from(new SharedArrayBuffer(bytes));
}

class SliceReader {
  readonly #thread: SupervisedThread<SliceRequest, FromSliceThread>;
  /** The functions that receive the results of slices that the thread has not read yet. */
  readonly #waiting: ((slice: ReadSlice | undefined) => void)[] = [];

  constructor(workerData: SliceThreadData) {
    this.#thread = new SupervisedThread({
      name: 'a thread that reads a release',
      start: () => new Worker(THREAD, { workerData, resourceLimits: FOR_BACKGROUND }),
      onMessage: (message) => {
        if (message.kind === 'ready') return 'ready';
        this.#waiting.shift()?.(message.kind === 'read' ? message.slice : undefined);
        return undefined;
      },
      onDeath: () => {
        for (const take of this.#waiting.splice(0)) take(undefined);
      },
    });
  }

  /** Undefined if the slice has a fault or contains a part of a record, or if the thread has died. */
  read(request: SliceRequest): Promise<ReadSlice | undefined> {
    const { promise, resolve } = Promise.withResolvers<ReadSlice | undefined>();
    if (this.#thread.post(request)) this.#waiting.push(resolve);
    else resolve(undefined);
    return promise;
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}

const THREAD = new URL('./slice-thread.ts', import.meta.url);
