/** Watches for a new current edition by asking for it again and again. */
import type { EditionInfo } from '../../directory/edition-store.ts';

export interface CurrentPoll {
  /** Asks at once, because there may be news. */
  look(): void;
  end(): void;
}

export interface CurrentPollOptions {
  /** As those of `EditionStore.watch`. */
  readonly onNew: (edition: EditionInfo) => void;
  readonly onProblem: (error: unknown) => void;
  /** The time from one look to the next. */
  readonly pauseMs?: () => number;
}

export function pollCurrent(
  current: () => Promise<EditionInfo | undefined>,
  { onNew, onProblem, pauseMs = () => POLL_MS }: CurrentPollOptions,
): CurrentPoll {
  let known: number | undefined;
  let problem: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  let isLooking = false;
  let hasNews = false;

  const look = async () => {
    try {
      const edition = await current();
      problem = undefined;
      if (hasEnded || edition === undefined || edition.number === known) return;
      known = edition.number;
      onNew(edition);
    } catch (error) {
      if (hasEnded || String(error) === problem) return;
      problem = String(error);
      onProblem(error);
    }
  };
  const run = async () => {
    clearTimeout(timer);
    isLooking = true;
    do {
      hasNews = false;
      await look();
    } while (hasNews && !hasEnded);
    isLooking = false;
    if (!hasEnded) timer = setTimeout(run, pauseMs());
  };

  void run();
  return {
    look: () => {
      if (hasEnded) return;
      hasNews = true;
      if (!isLooking) void run();
    },
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}

/** A server notices a new edition within a second. A look takes less than 0.1 ms. */
const POLL_MS = 500;
