/** Waits for what is to come about by itself. */
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
/** Many times what a slow machine takes. */
const TIMEOUT_MS = 60_000;

/** Throws where it does not come about: `what` says what was waited for. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`Waited in vain for: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
