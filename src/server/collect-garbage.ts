/**
 * Gives memory back that is no longer used. A thread that has let an edition go hardly allocates,
 * so that its collector would not run for a long time, and shared memory stays as long as one
 * thread has not collected it.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A full collection of this thread's heap: tens of milliseconds. */
export function collectGarbage(): void {
  collect ??= exposeCollector();
  collect();
}

let collect: (() => void) | undefined;

/** V8 shows its collector to contexts that are made after the flag was set. */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof found === 'function' ? () => found() : () => {};
}
