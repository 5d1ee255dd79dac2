/**
 * The time of day, finer than a millisecond. Threads agree, and after the clock of the machine was
 * set, they agree to a millisecond.
 */

let offsetMs = performance.timeOrigin;

/**
 * Milliseconds since 1970. It never goes back, unless the clock of the machine is set: a thread that
 * has to wait between two readings is not taken for a clock that was set.
 */
export function wallClockMs(): number {
  const beforeMs = performance.now();
  const wholeMs = Date.now();
  const afterMs = performance.now();
  const earliestMs = offsetMs + beforeMs - 1 - TOLERANCE_MS;
  const latestMs = offsetMs + afterMs + TOLERANCE_MS;
  if (wholeMs < earliestMs || wholeMs > latestMs) offsetMs = wholeMs - afterMs;
  return offsetMs + afterMs;
}

/** `Date.now` leaves a fraction out, and the clock of the machine is adjusted a little all the time. */
const TOLERANCE_MS = 1;
