/** The edition that is served: looked up now and then, loaded, and handed to the threads. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EditionInfo, EditionStore } from '../directory/edition-store.ts';
import { describeError, type Log } from '../server/log.ts';
import type { Threads } from '../server/threads.ts';
import type { EditionUpdate } from './serve-thread-data.ts';

export interface EditionWatch {
  /** The edition that the threads were told of last. */
  readonly served: EditionInfo | undefined;
  look(): void;
  /** Looks now and then; what fails is logged and tried again. */
  until(stopped: AbortSignal): Promise<void>;
}

export interface EditionWatchOptions {
  readonly store: EditionStore;
  readonly threads: Threads<EditionUpdate>;
  /** The data folder as the setting names it. */
  readonly data: string;
  readonly log: Log;
}

export function createEditionWatch({
  store,
  threads,
  data,
  log,
}: EditionWatchOptions): EditionWatch {
  let served: EditionInfo | undefined;
  let newest = 0;
  let hasWarned = false;

  const look = (): void => {
    const edition = store.current();
    if (edition === undefined) {
      if (!hasWarned) {
        log.warn(
          { data },
          `no edition yet: run "gazetteer import FILE --data ${data}"; it is then served at once`,
        );
      }
      hasWarned = true;
      return;
    }
    if (edition.number === served?.number) return;
    const startMs = performance.now();
    const { number, publishedAt, records, publicationDate } = edition;
    threads.update({ identity: { number, publishedAt }, arrays: store.load(number) });
    const reason = number > newest ? (served || hasWarned ? 'import' : 'start') : 'rollback';
    served = edition;
    newest = Math.max(newest, number);
    const ms = Math.round(performance.now() - startMs);
    log.info({ edition: number, reason, publicationDate, records, ms }, 'serving edition');
  };

  return {
    get served() {
      return served;
    },
    look,
    until: async (stopped) => {
      let lastFailure = '';
      while (!stopped.aborted) {
        try {
          await delay(LOOK_MS, undefined, { signal: stopped });
          look();
          lastFailure = '';
        } catch (error) {
          if (stopped.aborted) return;
          const failure = String(error);
          if (failure !== lastFailure)
            log.error({ err: describeError(error) }, 'cannot load an edition');
          lastFailure = failure;
        }
      }
    },
  };
}

/** A newly published edition is noticed within a second. */
const LOOK_MS = 500;
