/** Time and chance, so that tests need not wait, and the pauses between attempts. */
import { setTimeout as pause } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this time, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  sleep: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
  random: Math.random,
};

const PAUSE_MS_FIRST = 1_000;
const PAUSE_MS_MAX = 5 * 60_000;

/** No receiver can ask for a longer pause. */
const RETRY_AFTER_MS_MAX = 60 * 60_000;

/**
 * The milliseconds before the next attempt: twice as long after each failure, and different for each
 * receiver. `failures` in a row; `retryAfterMs`: what the receiver asked for.
 */
export function pauseMs(failures: number, retryAfterMs: number, random: () => number): number {
  const growing = Math.min(PAUSE_MS_FIRST * 2 ** Math.min(failures - 1, 20), PAUSE_MS_MAX);
  return Math.max(growing * (0.5 + random() / 2), Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
}

/** The header Retry-After in milliseconds: seconds or a date. 0 for any other value. */
export function retryAfterMs(value: string | undefined, nowMs: number): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? 0 : Math.max(0, dateMs - nowMs);
}
