/** Long work that several requests wait for. It stops when the last of them leaves. */
import { createPauses } from './pauses.ts';

export interface SharedWork<Result> {
  /** Whether all who waited have left. The work must then begin anew for the next one. */
  readonly isStopped: boolean;
  /** Without a signal, the caller stays. Rejects with the reason of the signal when it aborts. */
  wait(signal?: AbortSignal): Promise<Result>;
}

/**
 * Begins the work at once. `run` must await `pause` after each piece, as that of `createPauses`. It
 * rejects when all callers have left.
 */
export function shareWork<Result>(
  run: (pause: () => Promise<void> | undefined) => Promise<Result>,
): SharedWork<Result> {
  const stop = new AbortController();
  const pauses = createPauses();
  const result = run(() => pauses()?.then(() => stop.signal.throwIfAborted()));
  // Those who wait handle it.
  result.catch(() => {});
  let waiting = 0;
  return {
    get isStopped() {
      return stop.signal.aborted;
    },
    wait: async (signal) => {
      signal?.throwIfAborted();
      waiting += 1;
      if (signal === undefined) return await result;
      const left = Promise.withResolvers<never>();
      const leave = () => {
        waiting -= 1;
        if (waiting === 0) stop.abort();
        left.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([result, left.promise]);
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
