/**
 * Counts what each client address uses of the server at a time, in memory that all threads
 * share.
 */
import { hashOfAddress } from './address-hash.ts';

/** Shared memory: each thread writes its own part, and reads the parts of all threads. */
export interface ClientTotalsMemory {
  readonly seed: number;
  readonly threads: number;
  readonly owners: Int32Array<SharedArrayBuffer>;
  readonly amounts: Float64Array<SharedArrayBuffer>;
}

export interface ClientTotals {
  /** The share of one connection or request of the client. */
  open(address: string): ClientShare;
}

export interface ClientShare {
  /** The total of the client over all threads. */
  total(): number;
  add(amount: number): void;
  /** Subtracts everything that was added. */
  close(): void;
}

/**
 * The most addresses that a thread counts at a time. An address that finds no slot is not
 * limited.
 */
const SLOTS = 16_384;
const PROBES_MAX = 8;

/** `seed` must be secret, so that an attacker cannot choose an address that takes the slot of another. */
export function createClientTotalsMemory(threads: number, seed: number): ClientTotalsMemory {
  const cells = threads * SLOTS;
  return {
    seed,
    threads,
    owners: new Int32Array(new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT)),
    amounts: new Float64Array(new SharedArrayBuffer(cells * Float64Array.BYTES_PER_ELEMENT)),
  };
}

/** Clears the counts of a thread that died. */
export function forgetClientTotals({ amounts }: ClientTotalsMemory, thread: number): void {
  amounts.fill(0, thread * SLOTS, (thread + 1) * SLOTS);
}

export function createClientTotals(memory: ClientTotalsMemory, thread: number): ClientTotals {
  const { seed, threads, owners, amounts } = memory;
  /** The slot of an address in the part of a thread, or a free slot. */
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
