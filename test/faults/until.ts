/** Waits until a condition becomes true. */
import { setTimeout as delay } from 'node:timers/promises';

const MEASURE_EVERY_MS = 20;
/** Many times longer than a slow machine needs. */
const TIMEOUT_MS = 300_000;

/** Throws where the condition stays false. `what` describes the condition. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`Waited in vain for: ${what}`);
    await delay(MEASURE_EVERY_MS);
  }
}
