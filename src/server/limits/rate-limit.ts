/** Limits the requests per second of each client address, for the whole server in shared memory. */
import { hashOfAddress } from './client-totals.ts';

export interface RateLimit {
  /** Counts a request. Returns the seconds to wait if the address exceeds its limit, else 0. */
  secondsToWait(address: string): number;
}

/** Memory that all threads share. */
export interface RateMemory {
  readonly owners: Int32Array<SharedArrayBuffer>;
  readonly dueUs: BigInt64Array<SharedArrayBuffer>;
}

/**
 * The most addresses counted at a time. An address is counted for at most a second after its last
 * request. An address that finds no slot is not limited.
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
 * The generic cell rate algorithm stores one time for each address: when its whole burst is
 * available again. A burst is the requests of one second. Two threads that use a slot at the same
 * time can let one request too many pass.
 *
 * `seed` must be the same in all threads, and secret, so that an attacker cannot choose an
 * address that takes the slot of another.
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

/** The slot of an address: its own, or one whose owner has its whole burst again. */
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
