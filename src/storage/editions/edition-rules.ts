/** The rules of publishing and rolling back, which are the same for every store of editions. */
import { EditionGoneError, type EditionInfo } from '../../directory/edition/edition-store.ts';
import { StorageError } from '../storage-error.ts';

/** Throws an `EditionGoneError` if the data of the edition is not kept. */
export function requireKept(edition: EditionInfo | undefined, number: number): EditionInfo {
  if (edition?.isOnDisk === true) return edition;
  throw new EditionGoneError(number, edition === undefined ? 'unknown' : 'pruned');
}

/** The edition that a rollback makes current. `editions`: all that were ever published. */
export function rollbackTarget(
  editions: readonly EditionInfo[],
  to: number | undefined,
): EditionInfo {
  const current = editions.find(({ isCurrent }) => isCurrent);
  if (current === undefined) {
    throw new StorageError(
      'refused',
      'There is no edition yet. Import one with "gazetteer import FILE".',
    );
  }
  const target = to ?? current.number - 1;
  if (target === 0 && to === undefined) {
    throw new StorageError(
      'refused',
      `There is no edition below ${current.number} to roll back to. It stays current.`,
    );
  }
  if (target === current.number) {
    throw new StorageError('refused', `Edition ${target} is current already.`);
  }
  return requireKept(
    editions.find(({ number }) => number === target),
    target,
  );
}

/** Refuses an edition that was compared with another one than the current one. */
export function requireExpected(expected: number | undefined, current: number | undefined): void {
  if (expected !== undefined && expected !== current) {
    throw new StorageError(
      'refused',
      `Edition ${current ?? 'none'} became current during the import, which compared with ` +
        `edition ${expected}. Import again.`,
    );
  }
}

export function requireKeep(keep: number): void {
  if (Number.isSafeInteger(keep) && keep >= 1) return;
  throw new RangeError(`keep must be a whole number of at least 1, not ${keep}.`);
}

/**
 * The numbers of the editions whose data a new edition displaces, if `keep` editions are kept.
 * A bad edition is rolled back to the one that it replaced, so that one is displaced last.
 */
export function displacedBy(before: readonly EditionInfo[], keep: number): readonly number[] {
  return before
    .filter(({ isOnDisk }) => isOnDisk)
    .sort(
      (one, other) => Number(other.isCurrent) - Number(one.isCurrent) || other.number - one.number,
    )
    .slice(keep - 1)
    .map(({ number }) => number);
}
