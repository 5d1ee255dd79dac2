/**
 * Runs the searches of a server thread in a separate thread, so that a slow search holds up
 * neither other requests nor writes. The thread starts with the first search.
 */
import { Worker } from 'node:worker_threads';
import { RepositoryError, type SearchPageRequest } from '../fhir/repository.ts';
import { SupervisedThread } from '../threads/supervisor.ts';
import type { SearchAnswer } from './found-search.ts';
import type { FromSearchThread, SearchThreadData, ToSearchThread } from './search-messages.ts';
import { STARTING } from './unavailable.ts';

export class SearchClient {
  readonly #workerData: SearchThreadData;
  readonly #waiting = new Map<number, PromiseWithResolvers<SearchAnswer>>();
  #thread: SupervisedThread<ToSearchThread, FromSearchThread> | undefined;
  #nextNumber = 0;

  /** `database`: the path of the database. */
  constructor(database: string) {
    this.#workerData = { database };
  }

  search(request: SearchPageRequest): Promise<SearchAnswer> {
    this.#thread ??= this.#start();
    const number = this.#nextNumber++;
    if (!this.#thread.post({ number, request })) {
      return Promise.reject(new RepositoryError(STARTING));
    }
    const answer = Promise.withResolvers<SearchAnswer>();
    this.#waiting.set(number, answer);
    return answer.promise;
  }

  /** Searches without an answer are rejected. */
  close(): void {
    void this.#thread?.stop();
    this.#thread = undefined;
    this.#rejectAll();
  }

  #start(): SupervisedThread<ToSearchThread, FromSearchThread> {
    return new SupervisedThread({
      name: 'the search thread',
      start: () => new Worker(THREAD, { workerData: this.#workerData }),
      onMessage: (message) => {
        if (message.kind === 'ready') return 'ready';
        this.#settle(message);
        return undefined;
      },
      onDeath: () => this.#rejectAll(),
      mayRestart: () => true,
    });
  }

  #settle(message: Exclude<FromSearchThread, { kind: 'ready' }>): void {
    const answer = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    if (message.kind === 'answer') answer?.resolve(message.answer);
    else answer?.reject(new Error(message.message));
  }

  #rejectAll(): void {
    const unanswered = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of unanswered) reject(new RepositoryError(STARTING));
  }
}

const THREAD = new URL('./search-thread.ts', import.meta.url);
