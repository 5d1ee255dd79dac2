/** Collects the garbage of a thread at once. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects the heap of this thread completely, which stops the thread for tens of milliseconds. */
export function collectGarbage(): void {
  collect ??= exposeCollector();
  collect();
}

let collect: (() => void) | undefined;

/**
 * V8 exposes its collector to contexts that are made after the flag is set. The flag belongs to the
 * process and stays set: a thread that cleared it would clear it for other threads too.
 */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  return typeof found === 'function' ? () => found() : () => {};
}
