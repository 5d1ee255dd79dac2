/**
 * Whether the server still runs entries of a Bundle: not if the answers are long, or the store
 * failed.
 */
import { FhirError } from '../request/fhir-error.ts';
import type { FhirResponse } from '../request/request.ts';
import { NOTHING_STORED_OF_ENTRY, RepositoryError } from '../stored/repository-error.ts';

/** The answers that all Bundles of a thread have in memory, in characters or bytes. */
export interface AnswerBudget {
  readonly lengthMax: number;
  length: number;
}

/** The answers of one Bundle. Close it when the client has received them, or has disconnected. */
export class AnswerRoom {
  readonly #budget: AnswerBudget;
  #length = 0;
  #failure: Error | undefined;

  constructor(budget: AnswerBudget) {
    this.#budget = budget;
  }

  /** Throws an error if the answers so far fill a limit, or if there is a failure. */
  requireRoom(method = 'GET'): void {
    const error = this.#failure ?? this.#full(method);
    if (error !== undefined) throw error;
  }

  /** Throws an error if the thread had no room for an answer. */
  requireAll(): void {
    if (this.#failure === BUSY) throw BUSY;
  }

  /**
   * Takes room for an answer. Without room, a read throws an error. A write is done by then, so
   * that its answer only loses the resource.
   */
  keep(answer: FhirResponse, method: string): FhirResponse {
    const full = this.#full(method);
    if (full !== undefined && method === 'GET') throw full;
    const kept = full !== undefined && answer.status < 300 ? { ...answer, body: '' } : answer;
    const length = kept.body?.length ?? 0;
    this.#length += length;
    this.#budget.length += length;
    return kept;
  }

  /** Later entries fail with this error: each of them would wait for the store again. */
  fail(failure: Error): void {
    this.#failure ??= failure;
  }

  close(): void {
    this.#budget.length -= this.#length;
    this.#length = 0;
  }

  /** Why there is no room for the answer to a request with this method. */
  #full(method: string): Error | undefined {
    if (this.#budget.length >= this.#budget.lengthMax) {
      this.fail(BUSY);
      return BUSY;
    }
    return method === 'GET' && this.#length >= LENGTH_MAX ? NO_ROOM : undefined;
  }
}

/** Twice the longest page of a search. All answers are in memory until the whole Bundle is sent. */
const LENGTH_MAX = 8 * 1024 ** 2;

const NO_ROOM = FhirError.of(
  'too-costly',
  `The answers to other entries of the Bundle have ${LENGTH_MAX / 1024 ** 2} MiB ` +
    'already. Send this entry in another Bundle.',
);

const BUSY = new RepositoryError(
  'The server is sending too many long answers to Bundles. ' +
    `${NOTHING_STORED_OF_ENTRY} Try again in a moment.`,
);
