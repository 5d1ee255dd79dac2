/** The time of day, finer than a millisecond and the same in all threads. */

let offsetMs = performance.timeOrigin;

/** Milliseconds since 1970. It follows the clock of the machine, which can be set, or sleep. */
export function wallClockMs(): number {
  const monotonicMs = performance.now();
  const wholeMs = Date.now();
  const aheadMs = offsetMs + monotonicMs - wholeMs;
  if (aheadMs < -TOLERANCE_MS || aheadMs > 1 + TOLERANCE_MS) offsetMs = wholeMs - monotonicMs;
  return offsetMs + monotonicMs;
}

/** `Date.now` leaves a fraction out, and the two clocks are not read at the same time. */
const TOLERANCE_MS = 1;
