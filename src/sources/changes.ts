/** What the sources of changes share: the records before, the day to ask from, and the import. */
import { openEdition } from '../directory/edition/edition.ts';
import type { EditionInfo } from '../directory/edition/edition-store.ts';
import { SourceError } from '../directory/import/source.ts';
import { lastUpdatedMs } from '../directory/record/record.ts';
import type { Rows } from '../directory/record/rows.ts';
import type { ChangesOptions, FetchReport } from './fetch-options.ts';
import { importSources } from './import-sources.ts';

/** Throws a SourceError if there is no edition. */
export async function currentRecords({
  store,
  baseUrl,
}: ChangesOptions): Promise<{ readonly edition: EditionInfo; readonly rows: Rows }> {
  const edition = await store.current();
  if (edition === undefined) {
    throw new SourceError(
      `The directory has no edition to which changes from ${baseUrl} can be applied. Fetch or ` +
        'import a release first.',
    );
  }
  const { rows } = openEdition(edition, await store.load(edition.number));
  return { edition, rows };
}

/**
 * Some days before the newest change of the directory, because sources publish some changes late:
 * `YYYY-MM-DD`.
 */
export function changesSince(rows: Rows, nowMs: number, overlapDays: number): string {
  return new Date(newestChange(rows, nowMs) - overlapDays * DAY_MS).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

/** Ignores dates in the future, because they would hide the changes until then. */
function newestChange(rows: Rows, nowMs: number): number {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows.count; row++) {
    const ms = lastUpdatedMs({ lastUpdated: rows.lastUpdatedOf(row) });
    if (ms > newestMs && ms <= nowMs) newestMs = ms;
  }
  return newestMs === Number.NEGATIVE_INFINITY ? nowMs : newestMs;
}

/** Applies the changes in the file to the current edition. */
export async function importChanges(file: string, options: ChangesOptions): Promise<FetchReport> {
  const { isPublished, ...report } = await importSources({
    ...options,
    files: [file],
    source: options.baseUrl,
    includeArchive: false,
  });
  return { report, isPublished, fetched: 'changes' };
}
