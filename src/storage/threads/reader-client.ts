/**
 * Runs the searches of a server thread in a separate thread, and reads changes there, so that a slow
 * read holds up neither other requests nor writes. The thread starts with the first call.
 */

import { Worker } from 'node:worker_threads';
import type { ChangesRequest, SearchPageRequest } from '../../fhir/stored/repository.ts';
import { RepositoryError } from '../../fhir/stored/repository-error.ts';
import { FOR_BACKGROUND } from '../../threads/heap-limits.ts';
import { SupervisedThread } from '../../threads/supervisor.ts';
import { STARTING } from '../files/unavailable.ts';
import type {
  ChangesAnswer,
  CurrentAnswer,
  DeliveriesAnswer,
  FactsAnswer,
  FactsRequest,
  ReaderAnswer,
  ReaderCall,
  SearchAnswer,
} from '../repository/reader-answers.ts';
import type { FromReaderThread, ReaderProgram, ToReaderThread } from './reader-messages.ts';

export class ReaderClient {
  readonly #program: ReaderProgram;
  readonly #waiting = new Map<number, PromiseWithResolvers<ReaderAnswer>>();
  #thread: SupervisedThread<ToReaderThread, FromReaderThread> | undefined;
  readonly #onFault: (fault: Error) => void;
  #nextNumber = 0;
  #isClosed = false;

  /** `onFault` is called with the reason each time that the database cannot be read. */
  constructor(program: ReaderProgram, onFault: (fault: Error) => void = () => {}) {
    this.#program = program;
    this.#onFault = onFault;
  }

  // Messages lose the types of the answers.
  search(request: SearchPageRequest): Promise<SearchAnswer> {
    return this.#call({ kind: 'search', request }) as Promise<SearchAnswer>;
  }

  changes(request: ChangesRequest): Promise<ChangesAnswer> {
    return this.#call({ kind: 'changes', request }) as Promise<ChangesAnswer>;
  }

  facts(request: FactsRequest): Promise<FactsAnswer> {
    return this.#call({ kind: 'facts', request }) as Promise<FactsAnswer>;
  }

  deliveries(): Promise<DeliveriesAnswer> {
    return this.#call({ kind: 'deliveries' }) as Promise<DeliveriesAnswer>;
  }

  current(type: string): Promise<CurrentAnswer> {
    return this.#call({ kind: 'current', type }) as Promise<CurrentAnswer>;
  }

  /** Calls without an answer, and later ones, are rejected. */
  close(): void {
    this.#isClosed = true;
    void this.#thread?.stop();
    this.#thread = undefined;
    this.#rejectAll();
  }

  #call(call: ReaderCall): Promise<ReaderAnswer> {
    // Another thread would delay the end of the program.
    if (this.#isClosed) return Promise.reject(new RepositoryError(STARTING));
    this.#thread ??= this.#start();
    const number = this.#nextNumber++;
    if (!this.#thread.post({ number, call })) {
      return Promise.reject(new RepositoryError(STARTING));
    }
    const answer = Promise.withResolvers<ReaderAnswer>();
    this.#waiting.set(number, answer);
    return answer.promise;
  }

  #start(): SupervisedThread<ToReaderThread, FromReaderThread> {
    const { script, data } = this.#program;
    return new SupervisedThread({
      name: 'the reader thread',
      start: () =>
        new Worker(new URL(script), { workerData: data, resourceLimits: FOR_BACKGROUND }),
      onMessage: (message) => {
        if (message.kind === 'ready') return 'ready';
        this.#settle(message);
        return undefined;
      },
      onDeath: () => this.#rejectAll(),
      mayRestart: () => true,
    });
  }

  #settle(message: Exclude<FromReaderThread, { kind: 'ready' }>): void {
    const answer = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    if (message.kind === 'answer') answer?.resolve(message.answer);
    else if (message.kind === 'unavailable') {
      this.#onFault(new Error(message.problem));
      answer?.reject(new RepositoryError(message.message));
    } else answer?.reject(new Error(message.message));
  }

  #rejectAll(): void {
    const unanswered = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of unanswered) reject(new RepositoryError(STARTING));
  }
}
