/** The lock by which one server has a data folder, and what is done where the disk cannot be written. */
import type { Log } from '../server/log.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { acquireLock, type Lock } from '../storage/lock.ts';
import { diskProblem } from '../storage/probe-disk.ts';
import { StorageError } from '../storage/storage-error.ts';

export interface ServeLock {
  /** Takes the lock, if it is not held yet; throws where another server has it. */
  readonly claim: () => void;
  readonly release: () => void;
}

/**
 * Takes the lock. On a disk that cannot be written there is none yet, and nothing that another
 * server could disturb: whoever writes claims it first.
 */
export function openServeLock(
  folder: DataFolder,
  onUnwritable: (reason: StorageError) => void,
): ServeLock {
  let lock: Lock | undefined;
  const claim = () => {
    lock ??= acquireLock(folder.path, 'serve');
  };
  try {
    claim();
  } catch (error) {
    const isLocked = error instanceof StorageError && error.kind === 'locked';
    const reason = isLocked ? undefined : diskProblem(folder.directoryDatabase);
    if (reason === undefined) throw error;
    onUnwritable(reason);
  }
  return { claim, release: () => lock?.release() };
}

/** A line for each reason. */
export function createUnwritableLog(log: Log): (reason: StorageError) => void {
  let logged = '';
  return ({ message }) => {
    if (message === logged) return;
    logged = message;
    log.error({ problem: message }, 'nothing can be written: the directory is served as it is');
  };
}
