/** Long answers of a thread that soon has no place for more. */
import type { TestContext } from 'node:test';
import { createLongAnswers, type LongAnswers } from '../../src/interfaces/answer/long-answers.ts';

/** The thread has few places, its clients do not wait, and it keeps nothing. */
export function fewPlaces(ofClient: number, inAll = 2 * ofClient): LongAnswers {
  return createLongAnswers({
    places: { inAll, ofKind: inAll, ofClient },
    waitMs: 0,
    keptBytesMax: 0,
  });
}

/** Every look at the clock takes three milliseconds, so that no work ends in its first slice. */
export function slowClock({ mock }: TestContext): void {
  let now = 0;
  mock.method(performance, 'now', () => {
    now += 3;
    return now;
  });
}
