/** Measures the delay of a thread's event loop: how late its timers run. */
export interface LoopDelay {
  /** The last measured delay. */
  readonly lastMs: number;
  /** Forgets the delay until now. The delay of a start is not an overload. */
  restart(): void;
  stop(): void;
}

/** Often enough to notice overload early, and cheap. */
export const MEASURE_EVERY_MS = 100;

export function watchLoopDelay(onMeasured: (delayMs: number) => void = () => {}): LoopDelay {
  let dueMs = 0;
  const delay = {
    lastMs: 0,
    restart: () => {
      delay.lastMs = 0;
      dueMs = performance.now() + MEASURE_EVERY_MS;
    },
    stop: () => clearInterval(timer),
  };
  delay.restart();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delay.lastMs = Math.max(0, nowMs - dueMs);
    dueMs = nowMs + MEASURE_EVERY_MS;
    onMeasured(delay.lastMs);
  }, MEASURE_EVERY_MS);
  timer.unref();
  return delay;
}
