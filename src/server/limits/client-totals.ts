/**
 * Counts what each client address, and all of them together, use of the server at a time, in memory
 * that all threads share.
 */
import { networkOf } from '../../fhir/http/client-network.ts';

/** Shared memory: each thread writes its own part, and reads the parts of all threads. */
export interface ClientTotalsMemory {
  readonly seed: number;
  readonly threads: number;
  readonly owners: Int32Array<SharedArrayBuffer>;
  readonly amounts: Float64Array<SharedArrayBuffer>;
}

export interface ClientTotals {
  /** The share of one connection or request of the client. Without an address, of the whole server. */
  open(address?: string): ClientShare;
}

export interface ClientShare {
  /** The total of the client, or of the server, over all threads. */
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

/** The part of a thread. Its first cell is for the whole server. */
const CELLS = 1 + SLOTS;

/** `seed` must be secret, so that an attacker cannot choose an address that takes the slot of another. */
export function createClientTotalsMemory(threads: number, seed: number): ClientTotalsMemory {
  const cells = threads * CELLS;
  return {
    seed,
    threads,
    owners: new Int32Array(new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT)),
    amounts: new Float64Array(new SharedArrayBuffer(cells * Float64Array.BYTES_PER_ELEMENT)),
  };
}

/** Clears the counts of a thread that died. */
export function forgetClientTotals({ amounts }: ClientTotalsMemory, thread: number): void {
  amounts.fill(0, thread * CELLS, (thread + 1) * CELLS);
}

export function createClientTotals(memory: ClientTotalsMemory, thread: number): ClientTotals {
  const { seed, threads, owners, amounts } = memory;
  /** The slot of an address in the part of a thread, or a free slot. The hash of the server is 0. */
  const placeOf = (hash: number, of: number, takesFree: boolean): number | undefined => {
    if (hash === 0) return of * CELLS;
    let free: number | undefined;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const place = of * CELLS + 1 + ((hash + probe) & (SLOTS - 1));
      if (amounts[place] === 0) free ??= place;
      else if (owners[place] === hash) return place;
    }
    return takesFree ? free : undefined;
  };

  return {
    open: (address) => {
      const hash = address === undefined ? 0 : hashOfAddress(address, seed);
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

/**
 * FNV-1a over the characters, mixed so that similar addresses get distant hashes. Never returns 0.
 * `seed` must be secret, so that an attacker cannot choose addresses with the
 * same hash.
 */
export function hashOfAddress(address: string, seed: number): number {
  const text = networkOf(address);
  let hash = seed ^ 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash === 0 ? 1 : hash;
}
