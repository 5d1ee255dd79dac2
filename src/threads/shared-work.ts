/** Long work that several requests wait for. It runs only while one of them waits. */
import { createRests, type Pause } from './pauses.ts';
import { unlessLeft } from './slices.ts';

export interface SharedWork<Result> {
  /** Whether it has failed, or all who waited have left. It must then begin anew for the next one. */
  readonly isStopped: boolean;
  /** Without a signal, the caller stays. Rejects with the reason of the signal when it aborts. */
  wait(signal?: AbortSignal): Promise<Result>;
}

export interface SharedWorkOptions {
  /**
   * What happens when all callers have left. `stop`, the default: the work rejects. `sleep`: it continues
   * where it is when the next caller waits.
   */
  readonly whenLeft?: 'stop' | 'sleep';
}

/** Begins the work at once. `run` must await `pause` after each piece, as that of `createRests`. */
export function shareWork<Result>(
  run: (pause: Pause) => Promise<Result>,
  { whenLeft = 'stop' }: SharedWorkOptions = {},
): SharedWork<Result> {
  const stop = new AbortController();
  let sleep: PromiseWithResolvers<void> | undefined;
  const pauses = createRests();
  const result = run(() =>
    pauses()?.then(async () => {
      stop.signal.throwIfAborted();
      while (sleep !== undefined) await sleep.promise;
    }),
  );
  let hasFailed = false;
  // Those who wait handle it.
  result.catch(() => {
    hasFailed = true;
  });
  let waiting = 0;
  const leave = () => {
    waiting -= 1;
    if (waiting > 0) return;
    if (whenLeft === 'stop') stop.abort();
    else sleep = Promise.withResolvers();
  };
  return {
    get isStopped() {
      return hasFailed || stop.signal.aborted;
    },
    wait: async (signal) => {
      signal?.throwIfAborted();
      waiting += 1;
      sleep?.resolve();
      sleep = undefined;
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await unlessLeft(result, signal);
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    },
  };
}
