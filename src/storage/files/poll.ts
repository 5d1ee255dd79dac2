/** Repeats an action: at once, after each pause, and when there may be news. */

export interface Poll {
  /** Repeats the action at once, because there may be news. */
  look(): void;
  end(): void;
}

export interface PollOptions {
  readonly pauseMs: () => number;
  /** Called when the action fails, once for each problem. */
  readonly onProblem: (error: unknown) => void;
}

export function startPoll(
  action: (hasEnded: () => boolean) => Promise<void>,
  { pauseMs, onProblem }: PollOptions,
): Poll {
  let problem: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  let isRunning = false;
  let hasNews = false;

  const runOnce = async () => {
    try {
      await action(() => hasEnded);
      problem = undefined;
    } catch (error) {
      if (hasEnded || String(error) === problem) return;
      problem = String(error);
      onProblem(error);
    }
  };
  const run = async () => {
    clearTimeout(timer);
    isRunning = true;
    do {
      hasNews = false;
      await runOnce();
    } while (hasNews && !hasEnded);
    isRunning = false;
    if (!hasEnded) timer = setTimeout(run, pauseMs());
  };

  void run();
  return {
    look: () => {
      hasNews = true;
      if (!isRunning && !hasEnded) void run();
    },
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}
