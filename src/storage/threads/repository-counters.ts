/** The counters of the storage thread, in shared memory that outlives the thread. */

export interface RepositoryCounts {
  /** Transactions for calls, each with one sync of the log, including those that failed. */
  readonly batches: number;
  /** Calls of the store in them. */
  readonly operations: number;
  /** Versions that were written. */
  readonly writes: number;
  /** Calls that failed, because the store was unavailable or by a fault. */
  readonly failures: number;
  /** Calls in the largest batch. */
  readonly largestBatch: number;
}

const NAMES = ['batches', 'operations', 'writes', 'failures', 'largestBatch'] as const;

export function createRepositoryCounters(): SharedArrayBuffer {
  return new SharedArrayBuffer(NAMES.length * Float64Array.BYTES_PER_ELEMENT);
}

/** Only the storage thread writes. */
export function countBatch(
  memory: SharedArrayBuffer,
  batch: Omit<RepositoryCounts, 'batches' | 'largestBatch'> & { readonly commits: number },
): void {
  const counts = repositoryCounts(memory);
  const { operations } = batch;
  const next: RepositoryCounts = {
    batches: counts.batches + batch.commits,
    operations: counts.operations + operations,
    writes: counts.writes + batch.writes,
    failures: counts.failures + batch.failures,
    largestBatch: Math.max(counts.largestBatch, operations),
  };
  new Float64Array(memory).set(NAMES.map((name) => next[name]));
}

export function repositoryCounts(memory: SharedArrayBuffer): RepositoryCounts {
  const [batches = 0, operations = 0, writes = 0, failures = 0, largestBatch = 0] =
    new Float64Array(memory);
  return { batches, operations, writes, failures, largestBatch };
}
