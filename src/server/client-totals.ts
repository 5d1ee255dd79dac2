/** What each client address has of the server at a time, counted for all threads in shared memory. */
import { hashOfAddress } from './address-hash.ts';

/** Memory that all threads share: each thread writes a part of its own, and reads all of them. */
export interface ClientTotalsMemory {
  readonly seed: number;
  readonly threads: number;
  readonly owners: Int32Array<SharedArrayBuffer>;
  readonly amounts: Float64Array<SharedArrayBuffer>;
}

export interface ClientTotals {
  /** What one connection or request of the client adds. */
  open(address: string): ClientShare;
}

export interface ClientShare {
  /** What the client has, all threads together. */
  total(): number;
  add(amount: number): void;
  /** Gives back all that was added. */
  close(): void;
}

/** Addresses that a thread counts at a time; beyond that many, those without a place are let through. */
const SLOTS = 16_384;
const PROBES_MAX = 8;

/** `seed` must be unknown outside, so that nobody can choose whose place to take. */
export function createClientTotalsMemory(threads: number, seed: number): ClientTotalsMemory {
  const cells = threads * SLOTS;
  return {
    seed,
    threads,
    owners: new Int32Array(new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT)),
    amounts: new Float64Array(new SharedArrayBuffer(cells * Float64Array.BYTES_PER_ELEMENT)),
  };
}

/** What a thread that has died had counted is over. */
export function forgetClientTotals({ amounts }: ClientTotalsMemory, thread: number): void {
  amounts.fill(0, thread * SLOTS, (thread + 1) * SLOTS);
}

export function createClientTotals(memory: ClientTotalsMemory, thread: number): ClientTotals {
  const { seed, threads, owners, amounts } = memory;
  /** The place of an address among those of a thread; or one that is free. */
  const placeOf = (hash: number, of: number, takesFree: boolean): number | undefined => {
    let free: number | undefined;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const place = of * SLOTS + ((hash + probe) & (SLOTS - 1));
      if (amounts[place] === 0) free ??= place;
      else if (owners[place] === hash) return place;
    }
    return takesFree ? free : undefined;
  };

  return {
    open: (address) => {
      const hash = hashOfAddress(address, seed);
      let place: number | undefined;
      let added = 0;
      return {
        total: () => {
          let total = 0;
          for (let of = 0; of < threads; of++) {
            const found = placeOf(hash, of, false);
            if (found !== undefined) total += amounts[found]!;
          }
          return total;
        },
        add: (amount) => {
          place ??= placeOf(hash, thread, true);
          if (place === undefined) return;
          owners[place] = hash;
          amounts[place]! += amount;
          added += amount;
        },
        close: () => {
          if (place !== undefined) amounts[place]! -= added;
          place = undefined;
          added = 0;
        },
      };
    },
  };
}
