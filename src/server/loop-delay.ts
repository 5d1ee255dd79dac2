/** How far a thread is behind: how late its timers are. */

export interface LoopDelay {
  /** At the last look. */
  readonly lastMs: number;
  stop(): void;
}

/** Ten times a second: often enough to notice overload early, and no work to speak of. */
export const LOOK_EVERY_MS = 100;

export function watchLoopDelay(onLook: (delayMs: number) => void = () => {}): LoopDelay {
  const delay = { lastMs: 0, stop: () => clearInterval(timer) };
  let dueMs = performance.now() + LOOK_EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delay.lastMs = Math.max(0, nowMs - dueMs);
    dueMs = nowMs + LOOK_EVERY_MS;
    onLook(delay.lastMs);
  }, LOOK_EVERY_MS);
  timer.unref();
  return delay;
}
