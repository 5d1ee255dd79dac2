/** Requests per second and client address, counted for the whole server in shared memory. */
import { hashOfAddress } from './address-hash.ts';

export interface RateLimit {
  /** Counts a request: seconds to wait where the address has had its share, else 0. */
  secondsToWait(address: string): number;
}

/** Memory that all threads share; what is in it is no business of others. */
export interface RateMemory {
  readonly owners: Int32Array<SharedArrayBuffer>;
  readonly dueUs: BigInt64Array<SharedArrayBuffer>;
}

/**
 * Addresses that are counted at a time. An address counts only while its share is in use, at most
 * a second; beyond that many at once, those that find no place are let through.
 */
const SLOTS = 65_536;
const PROBES_MAX = 8;

export function createRateMemory(): RateMemory {
  return {
    owners: new Int32Array(new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT)),
    dueUs: new BigInt64Array(new SharedArrayBuffer(SLOTS * BigInt64Array.BYTES_PER_ELEMENT)),
  };
}

/**
 * The generic cell rate algorithm: one time for each address, when its share would be whole again.
 * A second's worth may come at once. Threads that meet in a slot may let a request too many pass.
 *
 * `seed` must be the same in all threads, and unknown outside, so that nobody can choose whose
 * slot to take.
 */
export function createRateLimit(
  memory: RateMemory,
  requestsPerSecond: number,
  seed: number,
  nowUs: () => bigint = () => process.hrtime.bigint() / 1000n,
): RateLimit {
  const costUs = BigInt(Math.round(1_000_000 / requestsPerSecond));
  const burstUs = costUs * BigInt(requestsPerSecond);
  return {
    secondsToWait: (address) => {
      const now = nowUs();
      const slot = slotOf(memory, hashOfAddress(address, seed), now);
      if (slot === undefined) return 0;
      for (;;) {
        const due = Atomics.load(memory.dueUs, slot);
        const next = (due > now ? due : now) + costUs;
        const overUs = next - now - burstUs;
        if (overUs > 0n) return Math.ceil(Number(overUs) / 1_000_000);
        if (Atomics.compareExchange(memory.dueUs, slot, due, next) === due) return 0;
      }
    },
  };
}

/** The slot of an address: the one that it has, or one whose owner has its whole share again. */
function slotOf({ owners, dueUs }: RateMemory, hash: number, now: bigint): number | undefined {
  let free: number | undefined;
  for (let probe = 0; probe < PROBES_MAX; probe++) {
    const slot = (hash + probe) & (SLOTS - 1);
    if (Atomics.load(owners, slot) === hash) return slot;
    if (free === undefined && Atomics.load(dueUs, slot) <= now) free = slot;
  }
  if (free !== undefined) Atomics.store(owners, free, hash);
  return free;
}
