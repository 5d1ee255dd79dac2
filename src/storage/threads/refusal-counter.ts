/** Counts accesses without a valid token by address, so that they cannot fill the disk. */
import { OTHER_ADDRESSES } from '../../fhir/audit/audit.ts';

export interface RefusalCounter {
  count(address: string, nowMs: number): void;
  /** Whether it is time to record the counts. */
  isDue(nowMs: number): boolean;
  /** The counts since the last `clear`. */
  readonly counts: readonly RefusalCount[];
  clear(): void;
  /** Counts again the refusals that could not be recorded. */
  restore(counts: readonly RefusalCount[]): void;
}

export interface RefusalCount {
  readonly address: string;
  readonly count: number;
  /** The time of the first access. */
  readonly fromMs: number;
}

/** The most entries in a minute for an attacker with many addresses. All further addresses share one. */
const ADDRESSES_MAX = 1000;
const PERIOD_MS = 60_000;

export function createRefusalCounter(): RefusalCounter {
  const counts = new Map<string, RefusalCount>();
  let beganMs = 0;
  return {
    count(address, nowMs) {
      if (counts.size === 0) beganMs = nowMs;
      const name = counts.has(address) || counts.size < ADDRESSES_MAX ? address : OTHER_ADDRESSES;
      const { count, fromMs } = counts.get(name) ?? { count: 0, fromMs: nowMs };
      counts.set(name, { address: name, count: count + 1, fromMs });
    },
    // The absolute value, so that a clock that was set back does not delay the record for long.
    isDue: (nowMs) => counts.size > 0 && Math.abs(nowMs - beganMs) >= PERIOD_MS,
    get counts() {
      return [...counts.values()];
    },
    clear: () => counts.clear(),
    restore: (earlier) => {
      for (const { address, count, fromMs } of earlier) {
        const known = counts.get(address);
        counts.set(address, { address, count: count + (known?.count ?? 0), fromMs });
      }
    },
  };
}
