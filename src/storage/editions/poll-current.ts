/** Watches for a new current edition by asking for it twice a second. */
import type { EditionInfo } from '../../directory/edition-store.ts';

/** As `EditionStore.watch`. */
export function pollCurrent(
  current: () => Promise<EditionInfo | undefined>,
  onNew: (edition: EditionInfo) => void,
  onProblem: (error: unknown) => void,
): () => void {
  let known: number | undefined;
  let problem: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;

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
    await look();
    if (!hasEnded) timer = setTimeout(run, POLL_MS);
  };

  void run();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

/** A server notices a new edition within a second. A look takes less than 0.1 ms. */
const POLL_MS = 500;
