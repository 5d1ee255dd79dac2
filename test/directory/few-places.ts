/** Long answers of a thread that has few places, whose clients do not wait, and that keeps nothing. */
import { createLongAnswers, type LongAnswers } from '../../src/interfaces/answer/long-answers.ts';

export function fewPlaces(ofClient: number, inAll = 2 * ofClient): LongAnswers {
  return createLongAnswers({
    places: { inAll, ofKind: inAll, ofClient },
    waitMs: 0,
    keptBytesMax: 0,
  });
}
