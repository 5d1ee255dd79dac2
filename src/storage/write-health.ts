/** Whether order responses can be stored: not after a failed batch, until a probe has written something. */
import { StorageError, type StorageErrorKind } from './storage-error.ts';

export interface WriteHealth {
  /** A batch failed. Returns the reason, which the disk may tell more exactly than SQLite does. */
  failed(error: StorageError): StorageError;
  /** Probes where a batch has failed; does nothing soon after the last probe. */
  look(): void;
}

export interface WriteHealthOptions {
  /** These write something, each in its way, and throw a `StorageError` where that fails. */
  readonly probeDisk: () => void;
  readonly probeDatabase: () => void;
  /** Why nothing can be stored; undefined when it can be again. */
  readonly onChange: (problem: string | undefined) => void;
  readonly nowMs?: () => number;
}

/** While nothing can be stored, somebody looks as often as this. */
export const PROBE_MS = 500;

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
      // What the last probe said may be of a fault that is over.
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

/** SQLite has one code for a quota, a read-only file system and a broken disk. */
function isVague(kind: StorageErrorKind): boolean {
  return kind === 'disk' || kind === 'unusable';
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
