/** Limits how many large answers one thread makes at the same time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FhirError } from '../fhir/fhir-error.ts';

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Creates a function that admits answers until there are too many, and then throws. It yields one
 * piece of each answer in each turn of the event loop, so that a fast client does not block the
 * others. `what` is what clients download: `the whole edition`.
 */
export function createPieceLimit(what: string): (pieces: Pieces) => AsyncIterable<Uint8Array> {
  const tooMany = new FhirError(
    [
      {
        kind: 'unavailable',
        diagnostics: `Too many clients are downloading ${what}. Try again in a moment.`,
      },
    ],
    ['Retry-After', '5'],
  );
  let downloads = 0;
  return (pieces) => {
    if (downloads === DOWNLOADS_MAX) throw tooMany;
    downloads += 1;
    return inTurns(pieces, () => {
      downloads -= 1;
    });
  };
}

/**
 * The most downloads at a time in one thread. Each download sends a piece in every turn of the
 * event loop. This number of downloads delays a turn by a few milliseconds.
 */
const DOWNLOADS_MAX = 4;

/** Calls `onEnd` once, at the end of the pieces or when the reader stops. */
function inTurns(pieces: Pieces, onEnd: () => void): AsyncIterable<Uint8Array> {
  const iterator =
    Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  return {
    // Not a generator, because a generator that never started does not run its `finally`.
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        try {
          await nextTurn();
          const result = await iterator.next();
          if (result.done) end();
          return result;
        } catch (error) {
          end();
          throw error;
        }
      },
      return: async () => {
        end();
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}
