/** Runs long work for an edition once, in small steps, so that requests do not wait for it. */
import type { Edition } from '../../directory/edition/edition.ts';

/** Work that yields after each fraction of a millisecond. */
export type Steps<Result> = Generator<undefined, Result>;

/** The result of the work for an edition: available at once when it is done, or awaited. */
export interface EditionWork<Result> {
  done(edition: Edition): Result | undefined;
  when(edition: Edition): Promise<Result>;
}

export function inSteps<Result>(steps: (edition: Edition) => Steps<Result>): EditionWork<Result> {
  const results = new WeakMap<Edition, Result>();
  const underWay = new WeakMap<Edition, Promise<Result>>();

  const run = async (edition: Edition): Promise<Result> => {
    const work = steps(edition);
    for (;;) {
      const next = work.next();
      if (next.done === true) {
        results.set(edition, next.value);
        return next.value;
      }
      // Lets the event loop answer other requests.
      await new Promise(setImmediate);
    }
  };

  return {
    done: (edition) => results.get(edition),
    when: (edition) => {
      let promise = underWay.get(edition);
      if (promise === undefined) {
        promise = run(edition);
        underWay.set(edition, promise);
      }
      return promise;
    },
  };
}
