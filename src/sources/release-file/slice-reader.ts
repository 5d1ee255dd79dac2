/** A thread that reads slices of a release, one after the other. */
import { Worker } from 'node:worker_threads';
import { SupervisedThread } from '../../threads/supervisor.ts';
import type {
  FromSliceThread,
  ReadSlice,
  SliceRequest,
  SliceThreadData,
} from './slice-messages.ts';

export class SliceReader {
  readonly #thread: SupervisedThread<SliceRequest, FromSliceThread>;
  /** The functions that receive the results of slices that the thread has not read yet. */
  readonly #waiting: ((slice: ReadSlice | undefined) => void)[] = [];

  constructor(workerData: SliceThreadData) {
    this.#thread = new SupervisedThread({
      name: 'a thread that reads a release',
      start: () => new Worker(THREAD, { workerData, resourceLimits: RESOURCE_LIMITS }),
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

/** Objects live only briefly, so more memory for new objects would not make the thread faster. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };
