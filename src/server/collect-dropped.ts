/**
 * Collects garbage after a thread has dropped an edition. Such a thread allocates little, so its
 * collector would not run for a long time. Shared memory is freed only when every thread has
 * collected it.
 */
import { collectGarbage } from '../threads/collect-garbage.ts';

/**
 * Collects the heap of this thread at its turn; the first turn is 0. Collects incrementally, and
 * later completely if the object of `dropped` is still in memory.
 */
export function collectDropped(dropped: WeakRef<object>, turn: number): void {
  const startMs = turn * TURN_MS;
  setTimeout(startCollecting, startMs).unref();
  setTimeout(() => {
    // `deref` keeps the object until the end of the task, so the collection runs in a later one.
    if (dropped.deref() !== undefined) setImmediate(collectGarbage);
  }, startMs + PATIENCE_MS).unref();
}

/**
 * All threads share the helpers of V8 that collect, so threads that collect at the same time wait
 * for each other. Longer than a collection takes on a busy machine.
 */
export const TURN_MS = 250;

/** Longer than an incremental collection takes. */
export const PATIENCE_MS = 2000;

/**
 * V8 starts an incremental collection when memory outside of its heap grows by 64 MiB. This buffer
 * is never written, so it takes no physical memory.
 */
function startCollecting(): void {
  try {
    new ArrayBuffer(PRESSURE_BYTES);
  } catch {
    // Not even this buffer fits. The complete collection follows later.
  }
}

const PRESSURE_BYTES = 72 * 1024 ** 2;
