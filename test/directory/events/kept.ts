/** Several editions, and the history of those that are kept. */
import {
  type Edition,
  openEdition,
  openRecordsForComparison,
} from '../../../src/directory/edition/edition.ts';
import {
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

/** The last of several editions, and the history of those that are not in `gone`. */
export function kept(
  versions: readonly (readonly SourceRecord[])[],
  gone: readonly number[] = [],
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
  const infos = editions.map(({ number, publishedAt }): EditionInfo => {
    const date = { publicationDate: `2026-0${number}-01`, importedAt: publishedAt, publishedAt };
    const counts = { records: 1, added: 0, changed: 0, removed: 0 };
    const isOnDisk = !gone.includes(number);
    return {
      number,
      ...date,
      source: '',
      ...counts,
      isCurrent: number === editions.length,
      isOnDisk,
    };
  });
  const textAt = (number: number, code: string) =>
    JSON.stringify(versions[number - 1]?.find((record) => record.code === code));
  const isChanged = (number: number, code: string) => {
    const [before, next] = [textAt(number - 1, code), textAt(number, code)];
    return before !== undefined && next !== undefined && before !== next;
  };
  const history: EditionHistory = {
    ...NO_HISTORY,
    list: async () => infos,
    codes: async (number, kind) =>
      (versions[number - 1] ?? [])
        .map(({ code }) => code)
        .filter((code) => kind === 'changed' && isChanged(number, code))
        .join('\n'),
    changeOf: async (number, code) => (isChanged(number, code) ? 'changed' : undefined),
    record: async (number: number, code: string) => {
      if (gone.includes(number)) return undefined;
      const found = versions[number - 1]?.find((record) => record.code === code);
      return found && found.isReferenceOnly !== true ? found : 'none';
    },
  };
  return { edition: editions.at(-1)!, history };
}
