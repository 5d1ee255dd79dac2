/** Watches for a new current edition by polling. */
import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import { type Poll, startPoll } from '../poll.ts';

export interface CurrentPollOptions {
  /** As those of `EditionStore.watch`. */
  readonly onNew: (edition: EditionInfo) => void;
  readonly onProblem: (error: unknown) => void;
  /** The time between two polls. */
  readonly pauseMs?: () => number;
}

export function pollCurrent(
  current: () => Promise<EditionInfo | undefined>,
  { onNew, onProblem, pauseMs = () => POLL_MS }: CurrentPollOptions,
): Poll {
  let known: number | undefined;
  const look = async (hasEnded: () => boolean) => {
    const edition = await current();
    if (hasEnded() || edition === undefined || edition.number === known) return;
    known = edition.number;
    onNew(edition);
  };
  return startPoll(look, { pauseMs, onProblem });
}

/** A server notices a new edition within a second. A look takes less than 0.1 ms. */
const POLL_MS = 500;
