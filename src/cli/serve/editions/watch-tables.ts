/** Follows what an operator imports beside the editions: postcodes and practitioners. */
import { describeError, type Log } from '../../../server/monitoring/log.ts';
import type { ServerStore } from '../../../storage/store/store.ts';
import type { EditionWatch } from './edition-watch.ts';

/** Gives the watch the current tables, and each version that replaces one. Returns the end of this. */
export async function watchTables(
  { postcodes, practitioners }: ServerStore,
  watch: EditionWatch,
  log: Log,
): Promise<() => Promise<void>> {
  const endPostcodes = await postcodes.watch(
    (stored) => {
      void watch
        .takePostcodes(stored)
        .then(() => log.info({ postcodes: stored.about.postcodes }, 'serving postcodes'));
    },
    (error) => log.report('GZ208', { err: describeError(error) }),
  );
  const endPractitioners = await practitioners.watch(
    (stored) => {
      const { practitioners: count } = stored.about;
      void watch
        .takePractitioners(stored)
        .then(() => log.info({ practitioners: count }, 'serving practitioners'));
    },
    (error) => log.report('GZ209', { err: describeError(error) }),
  );
  return async () => {
    await endPostcodes();
    await endPractitioners();
  };
}
