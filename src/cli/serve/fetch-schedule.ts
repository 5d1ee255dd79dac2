/** Decides when a server fetches: each day at a time, and earlier after a failure. */

export interface FetchPlan {
  /** The local time of the daily fetch: `HH:MM`. */
  readonly fetchAt: string;
  readonly nowMs: number;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

/** The failures before the next fetch, and the end of the pause that a source requests. */
export interface FetchTrouble {
  /** The failures in a row; 0 after a success. */
  readonly failures: number;
  readonly notBeforeMs?: number | undefined;
}

/** The time of the next fetch, in milliseconds. */
export function nextFetchMs(
  { fetchAt, nowMs, random }: FetchPlan,
  { failures, notBeforeMs = 0 }: FetchTrouble,
): number {
  const dailyMs = nextTimeOfDayMs(fetchAt, nowMs) + random() * SPREAD_MS;
  if (failures === 0) return dailyMs;
  const pauseMs = Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MS_MAX) * (1 + random() / 4);
  return Math.max(Math.min(dailyMs, nowMs + pauseMs), notBeforeMs);
}

/** The fetches of many servers are spread over this time. */
const SPREAD_MS = 30 * 60_000;

/** The pause after the first failure. It doubles with each further one. */
const RETRY_MS = 15 * 60_000;
const RETRY_MS_MAX = 4 * 60 * 60_000;

function nextTimeOfDayMs(time: string, nowMs: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const next = new Date(nowMs);
  next.setHours(hours, minutes, 0, 0);
  if (next.getTime() <= nowMs) next.setDate(next.getDate() + 1);
  return next.getTime();
}
