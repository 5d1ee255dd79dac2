/**
 * Publishes the content of an earlier edition as a new edition. The organisations that the rollback
 * changes get a new version and a later date, so copies of the directory find the changes like those
 * of an import.
 */
import { findDifference } from '../edition/difference.ts';
import { openRecordsForComparison } from '../edition/edition.ts';
import { EditionGoneError, type EditionInfo, type EditionStore } from '../edition/edition-store.ts';
import { buildChanges } from '../edition/kept-changes.ts';
import { restoredFrom, restoredSource } from '../edition/restored-edition.ts';
import { SourceError } from '../record/source.ts';
import { openEditionsBefore } from './edition-before.ts';

export interface RollbackReport {
  readonly edition: EditionInfo;
  /** The edition whose content the new edition has. */
  readonly from: EditionInfo;
  /** Why the current edition could not be read. */
  readonly problem?: string;
}

/**
 * By default, to the edition below the one whose content is current. Throws a `SourceError` or an
 * `EditionGoneError` if there is no such edition, and the error of the store if it is damaged.
 */
export async function rollBack(store: EditionStore, to?: number): Promise<RollbackReport> {
  const draft = await store.begin();
  try {
    const { current, from } = await findTarget(store, to);
    const content = await store.load(from.number);
    const next = openRecordsForComparison(content);
    const { compared, unread, problem } = await openEditionsBefore(store, current);
    const difference = findDifference(compared?.records.sections[0], next.sections[0]);
    const changes = buildChanges(compared?.records, next, { unread });
    for (const [name, array] of Object.entries({ ...content, ...changes.arrays })) {
      await draft.write(name, array);
    }
    const { publicationDate, records } = from;
    const source = restoredFrom(from) === undefined ? restoredSource(from) : from.source;
    const edition = await draft.publish(
      { publicationDate, source, records, difference, comparedTo: compared?.number },
      // The next import removes the oldest ones above the limit.
      { keep: Number.MAX_SAFE_INTEGER, expectedCurrent: current.number },
    );
    return { edition, from, ...(problem !== undefined && { problem }) };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

async function findTarget(store: EditionStore, to: number | undefined) {
  const current = await store.current();
  if (current === undefined) {
    throw new SourceError('There is no edition yet. Import one with "gazetteer import FILE".');
  }
  const content = restoredFrom(current) ?? current.number;
  const target = to ?? content - 1;
  if (target === 0 && to === undefined) {
    throw new SourceError(`There is no edition below ${content} to roll back to.`);
  }
  if (target === current.number) throw new SourceError(`Edition ${target} is current already.`);
  const from = (await store.list()).find(({ number }) => number === target);
  if (from?.isOnDisk === true) return { current, from };
  throw new EditionGoneError(target, from === undefined ? 'unknown' : 'pruned');
}
