/**
 * Gives memory back that is no longer used. A thread that has let an edition go hardly allocates,
 * so that its collector would not run for a long time, and shared memory stays as long as one
 * thread has not collected it.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Has this thread's heap collected when it is its turn, 0 being the first: bit by bit, and then at
 * once if what `dropped` refers to is still there.
 */
export function collectDropped(dropped: WeakRef<object>, turn: number): void {
  const startMs = turn * TURN_MS;
  setTimeout(startCollecting, startMs).unref();
  setTimeout(() => {
    // What a reference was asked for stays until the task is over, and so would not go in it.
    if (dropped.deref() !== undefined) setImmediate(collectGarbage);
  }, startMs + PATIENCE_MS).unref();
}

/**
 * The work of a collection is done by helpers that all threads have in common: those that collect
 * at once wait for each other. Longer than a collection takes on a busy machine.
 */
export const TURN_MS = 250;

/** Well beyond what collecting bit by bit takes. */
export const PATIENCE_MS = 2000;

/**
 * V8 collects bit by bit where memory outside of its heap grows, by 64 MiB at the least. What is
 * made here is never written, so that it takes no room.
 */
function startCollecting(): void {
  try {
    new ArrayBuffer(PRESSURE_BYTES);
  } catch {
    // There is no room even for that: memory is collected at once, later.
  }
}

const PRESSURE_BYTES = 72 * 1024 ** 2;

/** A full collection of this thread's heap, which stops it for tens of milliseconds. */
export function collectGarbage(): void {
  collect ??= exposeCollector();
  collect();
}

let collect: (() => void) | undefined;

/**
 * V8 shows its collector to contexts that are made after the flag was set. The flag is the whole
 * process's and stays set: a thread that took it back would take it from another that is about to
 * make its context.
 */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  return typeof found === 'function' ? () => found() : () => {};
}
