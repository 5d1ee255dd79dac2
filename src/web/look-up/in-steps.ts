/** Work for an edition that takes longer than a request may wait: done once, a little at a time. */
import type { Edition } from '../../directory/edition.ts';

/** Work that stops after every fraction of a millisecond. */
export type Steps<Result> = Generator<undefined, Result>;

/** What an edition's work results in: at once where it is done, else when it is. */
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
      // Other requests are answered in between.
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
