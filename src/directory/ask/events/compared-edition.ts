/** The edition whose knowledge the current one is compared with. */

import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EditionHistory, EditionInfo } from '../../edition/edition-store.ts';
import { daysAfter } from '../../record/day.ts';
import type { EventFilter } from './event-filter.ts';
import { dayOfEdition, listedEditions } from './kept-editions.ts';

/**
 * The edition of the question, whose records are on the disk. Throws a FhirError with the remedy if
 * there is none.
 */
export async function comparedEditionOf(
  edition: Edition,
  { knownSince, sinceEdition }: Pick<EventFilter, 'knownSince' | 'sinceEdition'>,
  history: EditionHistory,
): Promise<EditionInfo> {
  const all = await listedEditions(history);
  const infos = all.filter(({ number }) => number <= edition.number);
  const newest = infos.at(-1);
  if (newest === undefined) {
    throw refuse(
      'This directory has no list of editions, so it cannot say what became known when.',
    );
  }
  const base =
    sinceEdition === undefined ? lastBefore(infos, knownSince ?? '') : numbered(all, sinceEdition);
  // Nothing is newer than what this edition knows.
  if (base.number >= newest.number) return newest;
  if (base.isOnDisk) return base;
  throw refuse(
    `The records of edition ${base.number} are no longer kept, so the directory cannot say what became known ` +
      `after it. ${remedyOf(infos)}`,
  );
}

/** The names of the parameters are those of all ways of asking. */
function remedyOf(infos: readonly EditionInfo[]): string {
  const keepMore = 'To keep more editions, increase editions.keep.';
  const oldest = infos.slice(0, -1).find(({ isOnDisk }) => isOnDisk);
  if (oldest === undefined) return keepMore;
  const day = daysAfter(dayOfEdition(oldest), 1);
  return `Use sinceEdition=${oldest.number} or knownSince=${day}, or later ones. ${keepMore}`;
}

function numbered(infos: readonly EditionInfo[], wanted: number): EditionInfo {
  const found = infos.find(({ number }) => number === wanted);
  if (found !== undefined) return found;
  const last = infos.at(-1)?.number;
  throw refuse(
    `sinceEdition must be the number of an edition. Got ${wanted}. The newest edition is ${last}.`,
  );
}

/** The last edition before those that made something known on the day or after it. */
function lastBefore(infos: readonly EditionInfo[], day: string): EditionInfo {
  const next = infos.findIndex((info) => dayOfEdition(info) >= day);
  if (next < 0) return infos.at(-1)!;
  if (next > 0) return infos[next - 1]!;
  throw refuse(
    `knownSince must be after ${infos[0] && dayOfEdition(infos[0])}, the day of the first edition: what was known before it ` +
      'is not known here. For the events since an earlier day, use since.',
  );
}

/** The day of the edition in answers. Undefined if the history does not list it. */
export async function knownDayOf(
  { number: wanted }: Pick<Edition, 'number'>,
  history: EditionHistory,
): Promise<string | undefined> {
  const infos = await listedEditions(history);
  const info = infos.find(({ number }) => number === wanted);
  return info && dayOfEdition(info);
}

/**
 * By default, the page of what changed shows what became known with the last publication that
 * differs from the one before. Undefined if there is none, or if that one is no longer kept.
 */
export async function lastBase(
  edition: Edition,
  history: EditionHistory,
): Promise<EditionInfo | undefined> {
  const infos = (await listedEditions(history)).filter(({ number }) => number <= edition.number);
  const last = infos.findLast(({ added, changed, removed }) => added + changed + removed > 0);
  const { comparedTo } = (last && (await history.differenceCounts(last.number))) ?? {};
  return infos.find(({ number, isOnDisk }) => isOnDisk && number === comparedTo);
}

function refuse(diagnostics: string): FhirError {
  return FhirError.of('invalid-parameter', diagnostics);
}
