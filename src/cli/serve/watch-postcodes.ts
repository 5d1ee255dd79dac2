/** Gives the server the postcodes of its store, and each version that replaces them. */
import { describeError, type Log } from '../../server/operations/log.ts';
import type { ServerStore } from '../../storage/store.ts';
import type { EditionWatch } from './edition-watch.ts';

/** Gives the watch the current postcodes, and each version that replaces them. Returns the end of this. */
export function watchPostcodes(
  { postcodes }: ServerStore,
  watch: EditionWatch,
  log: Log,
): Promise<() => Promise<void>> {
  return postcodes.watch(
    (stored) => {
      void watch
        .takePostcodes(stored)
        .then(() => log.info({ postcodes: stored.about.postcodes }, 'serving postcodes'));
    },
    (error) => log.report('GZ208', { err: describeError(error) }),
  );
}
