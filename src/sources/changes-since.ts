/** The day from which a source is asked for changes. */
import { lastUpdatedMs } from '../directory/record/record.ts';
import type { Rows } from '../directory/record/rows.ts';

/**
 * Some days before the newest change of the directory, because sources publish some changes late:
 * `YYYY-MM-DD`.
 */
export function changesSince(rows: Rows, nowMs: number, overlapDays: number): string {
  return new Date(newestChange(rows, nowMs) - overlapDays * DAY_MS).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

/** Ignores dates in the future, because they would hide the changes until then. */
function newestChange(rows: Rows, nowMs: number): number {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows.count; row++) {
    const ms = lastUpdatedMs({ lastUpdated: rows.lastUpdatedOf(row) });
    if (ms > newestMs && ms <= nowMs) newestMs = ms;
  }
  return newestMs === Number.NEGATIVE_INFINITY ? nowMs : newestMs;
}
