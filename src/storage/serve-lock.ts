/** The lock that lets only one server use a data folder, also where the disk cannot be written. */
import type { DataFolder } from './data-folder.ts';
import { acquireLock, type Lock } from './lock.ts';
import { diskProblem } from './probe-disk.ts';
import { StorageError } from './storage-error.ts';

export interface ServeLock {
  /** Takes the lock if this server does not hold it yet; throws if another server holds it. */
  readonly claim: () => void;
  readonly release: () => void;
}

/**
 * Takes the lock. On a disk that cannot be written the server starts without the lock, because no
 * process can change anything there. Before its first write, the server calls `claim`.
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
