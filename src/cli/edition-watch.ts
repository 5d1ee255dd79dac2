/** Watches for a new current edition, loads it, and hands it to the threads. */
import { setTimeout as delay } from 'node:timers/promises';
import { EditionFormatError } from '../directory/edition.ts';
import type { EditionInfo, EditionReader } from '../directory/edition-store.ts';
import type { DirectorySettings } from '../directory/settings.ts';
import { describeError, type Log } from '../server/log.ts';
import type { Threads } from '../server/threads.ts';
import { createEditionMemory } from './edition-memory.ts';
import type { ThreadUpdate } from './serve-thread-data.ts';

export interface EditionWatch {
  /** The edition that the threads were given last. */
  readonly served: EditionInfo | undefined;
  look(): void;
  /**
   * Requests a replaced edition that is not in memory: it is read at the next look or a later
   * one.
   */
  want(number: number): void;
  /** Looks repeatedly; a failure is logged, and the look is repeated. */
  until(stopped: AbortSignal): Promise<void>;
}

export interface EditionWatchOptions {
  readonly store: EditionReader;
  readonly settings: Pick<DirectorySettings, 'graceMinutes' | 'editionsInMemory'>;
  readonly threads: Pick<Threads<ThreadUpdate>, 'update'>;
  /** The data folder as the setting names it. */
  readonly data: string;
  readonly log: Log;
}

export function createEditionWatch({
  store,
  settings,
  threads,
  data,
  log,
}: EditionWatchOptions): EditionWatch {
  const memory = createEditionMemory({ store, settings, tell: threads.update, log });
  let served: EditionInfo | undefined;
  let newest = 0;
  let hasWarned = false;
  let failed: { readonly number: number; readonly retryMs: number } | undefined;

  const look = (): void => {
    const edition = store.current();
    if (edition === undefined) {
      if (!hasWarned) {
        log.warn(
          { data },
          `no edition yet: run "gazetteer import FILE --data ${data}"; the server then loads it`,
        );
      }
      hasWarned = true;
      return;
    }
    if (edition.number !== served?.number) serve(edition);
    memory.look();
  };

  const serve = (edition: EditionInfo): void => {
    const { number, publishedAt, records, publicationDate } = edition;
    const startMs = performance.now();
    if (number === failed?.number && startMs < failed.retryMs) return;
    failed = { number, retryMs: startMs + RETRY_MS };
    try {
      memory.serve({ number, publishedAt });
    } catch (error) {
      // The format of an edition never changes, and reading the edition again would take as much memory.
      if (error instanceof EditionFormatError) {
        failed = { number, retryMs: Number.POSITIVE_INFINITY };
      }
      throw error;
    }
    failed = undefined;
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
    want: memory.want,
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

/** An edition that could not be loaded is not read again at once: it is large. */
const RETRY_MS = 30_000;

/** A newly published edition is noticed within a second. */
const LOOK_MS = 500;
