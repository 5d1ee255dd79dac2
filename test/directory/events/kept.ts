/** Several editions, and the history of those that are kept. */

import { type Difference, findDifference } from '../../../src/directory/edition/difference.ts';
import {
  type Edition,
  openEdition,
  openRecordsForComparison,
} from '../../../src/directory/edition/edition.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type EditionHistory,
  type EditionInfo,
  NO_HISTORY,
} from '../../../src/directory/edition/edition-store.ts';
import { buildChanges } from '../../../src/directory/edition/kept-changes.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { editionArrays } from '../edition-arrays.ts';

export interface Kept {
  readonly edition: Edition;
  readonly history: EditionHistory;
}

interface KeptOptions {
  /** The label of each, such as that of a rollback. */
  readonly sources?: readonly string[];
  readonly publicationDates?: readonly string[];
  /** The edition that each was compared with: by default the one before; 0 for none. */
  readonly comparedTo?: readonly number[];
}

/** The last of several editions, and the history of those that are not in `gone`. */
export function kept(
  versions: readonly (readonly SourceRecord[])[],
  gone: readonly number[] = [],
  { sources = [], publicationDates = [], comparedTo = [] }: KeptOptions = {},
): Kept {
  const editions: Edition[] = [];
  for (const [at, records] of versions.entries()) {
    const arrays = editionArrays(records);
    const next = openRecordsForComparison(arrays);
    const last = editions.at(-1);
    const before = last && {
      ...openRecordsForComparison(editionArrays(versions[at - 1]!)),
      changedIn: last.changedIn,
      deletions: last.deletions,
      formerNames: last.formerNames,
    };
    const changes = buildChanges(before, next);
    const publishedAt = `2026-0${at + 1}-02T00:00:00.000Z`;
    editions.push(openEdition({ number: at + 1, publishedAt }, { ...arrays, ...changes.arrays }));
  }
  const comparedOf = (at: number) => comparedTo[at] ?? at;
  const differences = editions.map((_, at) =>
    differenceOf(versions[comparedOf(at) - 1], versions[at]!),
  );
  const infos = editions.map(({ number, publishedAt }, at): EditionInfo => {
    const { added, changed, removed } = differences[at]!;
    return {
      number,
      publicationDate: publicationDates[at] ?? `2026-0${number}-01`,
      importedAt: publishedAt,
      publishedAt,
      source: sources[at] ?? '',
      records: editions[at]!.rows.count,
      added: added.length,
      changed: changed.length,
      removed: removed.length,
      isCurrent: number === editions.length,
      isOnDisk: !gone.includes(number),
    };
  });
  const codesOf = (number: number, kind: ChangeKind) => differences[number - 1]?.[kind] ?? [];
  const history: EditionHistory = {
    ...NO_HISTORY,
    list: async () => infos,
    differenceCounts: async (number) => {
      const { byRole } = differences[number - 1] ?? {};
      if (byRole === undefined) return undefined;
      const compared = comparedOf(number - 1);
      return { byRole, ...(compared > 0 && { comparedTo: compared }) };
    },
    codes: async (number, kind) => codesOf(number, kind).join('\n'),
    changeOf: async (number, code) =>
      CHANGE_KINDS.find((kind) => codesOf(number, kind).includes(code)),
    record: async (number: number, code: string) => {
      if (gone.includes(number)) return undefined;
      const found = versions[number - 1]?.find((record) => record.code === code);
      return found && found.isReferenceOnly !== true ? found : 'none';
    },
  };
  return { edition: editions.at(-1)!, history };
}

function differenceOf(
  before: readonly SourceRecord[] | undefined,
  next: readonly SourceRecord[],
): Difference {
  const fullOf = (records: readonly SourceRecord[]) =>
    openRecordsForComparison(editionArrays(records)).sections[0];
  return findDifference(before && fullOf(before), fullOf(next));
}
