/** Limits how long the answers to the reads and searches of a Bundle are together. */
import { FhirError } from '../fhir-error.ts';

export class AnswerRoom {
  #length = 0;

  /** Throws a FhirError if the answers so far fill the limit. */
  requireRoom(): void {
    if (this.#length >= LENGTH_MAX) throw NO_ROOM;
  }

  /** `length`: the characters or bytes of an answer. */
  add(length: number): void {
    this.#length += length;
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
