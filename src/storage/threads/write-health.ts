/**
 * Tracks whether order responses can be stored: after a failed batch they cannot, until a probe
 * has written to the disk.
 */
import { StorageError, type StorageErrorKind } from '../files/storage-error.ts';

export interface WriteHealthOptions {
  /** Different ways to write to the disk. Each throws a `StorageError` if it fails. */
  readonly probeDisk: () => void;
  readonly probeDatabase: () => void;
  /** Why the store cannot write; undefined when it can write again. */
  readonly onChange: (problem: string | undefined) => void;
  readonly nowMs?: () => number;
}

/** The interval of the probes while the store cannot write. */
export const PROBE_MS = 500;

export interface WriteHealth {
  /**
   * Call it when a batch failed. Returns the reason, which a probe of the disk may state more
   * exactly than SQLite does.
   */
  failed(error: StorageError): StorageError;
  /** Probes the disk if a batch has failed, but not soon after the last probe. */
  look(): void;
}

export function createWriteHealth(options: WriteHealthOptions): WriteHealth {
  const { probeDisk, probeDatabase, onChange, nowMs = () => performance.now() } = options;
  let problem: string | undefined;
  let diskError: StorageError | undefined;
  let nextProbeMs = Number.NEGATIVE_INFINITY;

  const change = (next: string | undefined) => {
    if (next === problem) return;
    problem = next;
    onChange(problem);
  };
  const askDisk = () => {
    nextProbeMs = nowMs() + PROBE_MS;
    diskError = errorOf(probeDisk);
  };

  return {
    failed: (error) => {
      // The result of the last probe may be out of date.
      if (problem === undefined || nowMs() >= nextProbeMs) askDisk();
      const reason = (isVague(error.kind) && diskError) || error;
      change(reason.message);
      return reason;
    },
    look: () => {
      if (problem === undefined || nowMs() < nextProbeMs) return;
      askDisk();
      change((diskError ?? errorOf(probeDatabase))?.message);
    },
  };
}

/** SQLite has the same code for a full quota and a broken disk, and one for a missing permission. */
function isVague(kind: StorageErrorKind): boolean {
  return kind === 'disk' || kind === 'denied';
}

function errorOf(probe: () => void): StorageError | undefined {
  try {
    probe();
    return undefined;
  } catch (error) {
    if (error instanceof StorageError) return error;
    throw error;
  }
}
