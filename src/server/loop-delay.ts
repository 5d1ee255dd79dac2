/** Measures the delay of a thread's event loop: how late its timers run. */
export interface LoopDelay {
  /** The last measured delay. */
  readonly lastMs: number;
  stop(): void;
}

/** Often enough to notice overload early, and cheap. */
export const MEASURE_EVERY_MS = 100;

export function watchLoopDelay(onMeasured: (delayMs: number) => void = () => {}): LoopDelay {
  const delay = { lastMs: 0, stop: () => clearInterval(timer) };
  let dueMs = performance.now() + MEASURE_EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delay.lastMs = Math.max(0, nowMs - dueMs);
    dueMs = nowMs + MEASURE_EVERY_MS;
    onMeasured(delay.lastMs);
  }, MEASURE_EVERY_MS);
  timer.unref();
  return delay;
}
