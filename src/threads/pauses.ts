/** Divides long work into short slices, so that a server answers other requests in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other requests wait for one slice of each long request at most. */
const SLICE_MS = 8;

/** A function to await after each piece of the work. It only waits at the end of a slice. */
export function createPauses(): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return nextTurn().then(() => {
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}
