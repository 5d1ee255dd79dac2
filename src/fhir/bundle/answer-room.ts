/** Whether the server still runs entries of a Bundle: not if the answers are long, or the store failed. */
import { FhirError } from '../service/fhir-error.ts';

export class AnswerRoom {
  #length = 0;
  #failure: Error | undefined;

  /** Throws an error if the answers so far fill the limit, or if there is a failure. */
  requireRoom(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#length >= LENGTH_MAX) throw NO_ROOM;
  }

  /** `length`: the characters or bytes of an answer. */
  add(length: number): void {
    this.#length += length;
  }

  /** Later entries fail with this error: each of them would wait for the store again. */
  fail(failure: Error): void {
    this.#failure = failure;
  }
}

/** Twice the longest page of a search. All answers are in memory until the whole Bundle is sent. */
const LENGTH_MAX = 8 * 1024 ** 2;

const NO_ROOM = new FhirError([
  {
    kind: 'too-costly',
    diagnostics:
      `The answers to other reads and searches of the Bundle have ${LENGTH_MAX / 1024 ** 2} MiB ` +
      'already. Send this entry in another Bundle.',
  },
]);
