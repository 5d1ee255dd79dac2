/** Counts accesses without a valid token by address, so that they cannot fill the disk. */
import { OTHER_ADDRESSES } from '../fhir/audit.ts';

export interface RefusalCounter {
  count(address: string, nowMs: number): void;
  /** Whether there is something to be written down by now. */
  isDue(nowMs: number): boolean;
  /** What was counted so far; stays until `clear`. */
  readonly counts: readonly RefusalCount[];
  clear(): void;
}

export interface RefusalCount {
  readonly address: string;
  readonly count: number;
  /** When the first one came. */
  readonly fromMs: number;
}

/** An attacker with many addresses gets no more entries than this in a minute, and one for the rest. */
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
    // A clock that was set back does not hold them up for long.
    isDue: (nowMs) => counts.size > 0 && Math.abs(nowMs - beganMs) >= PERIOD_MS,
    get counts() {
      return [...counts.values()];
    },
    clear: () => counts.clear(),
  };
}
