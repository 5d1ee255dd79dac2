/** What the sources of changes share: the records before, the day to ask from, the files, and the import. */
import { rmSync } from 'node:fs';
import type * as z from 'zod';
import { openEdition } from '../../directory/edition/edition.ts';
import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import { lastUpdatedMs } from '../../directory/record/record.ts';
import type { Rows } from '../../directory/record/rows.ts';
import { SourceError } from '../../directory/record/source.ts';
import { Spool } from '../http/spool.ts';
import { importSources } from '../import/import-sources.ts';
import { type ChangesOptions, type FetchReport, nothingFetched } from './fetch-options.ts';
import { openStateFolder, type StateFolder } from './state-folder.ts';

/** A fetch of changes that runs. */
export interface ChangesFetch<State> {
  /** The day to ask from: `YYYY-MM-DD`. */
  readonly since: string;
  /** The fetched resources, one on each line. */
  readonly spool: Spool;
  readonly state: StateFolder<State>;
}

/**
 * Imports what `fetch` adds to the spool. `fetch` resolves with the state after the import. Throws a
 * SourceError if the service cannot be used. The current edition then stays.
 */
export async function fetchChanges<State>(
  options: ChangesOptions,
  schema: z.ZodType<State>,
  fetch: (work: ChangesFetch<State>) => Promise<State>,
): Promise<FetchReport> {
  const { folder, now, overlapDays } = options;
  const { edition, rows } = await currentRecords(options);
  const state = openStateFolder(folder, schema);
  const spool = new Spool(state.filePath('changes.ndjson'));
  try {
    const done = await fetch({ since: changesSince(rows, now(), overlapDays), spool, state });
    const isEmpty = spool.bytes === 0;
    const report = isEmpty ? nothingFetched(edition) : await importChanges(spool.path, options);
    state.write(done);
    rmSync(spool.path, { force: true });
    return report;
  } finally {
    spool.close();
  }
}

/** Whether a fetch that was interrupted can continue. */
export function canContinue(startedAt: string, nowMs: number): boolean {
  return nowMs - Date.parse(startedAt) < PART_MS_MAX;
}

/** Changes during an interrupted fetch must be younger than the overlap of the next one. */
const PART_MS_MAX = 86_400_000;

/** Throws a SourceError if there is no edition. */
async function currentRecords({
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
function changesSince(rows: Rows, nowMs: number, overlapDays: number): string {
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
async function importChanges(file: string, options: ChangesOptions): Promise<FetchReport> {
  const { isPublished, ...report } = await importSources({
    ...options,
    files: [file],
    source: options.baseUrl,
    includeArchive: false,
  });
  return { report, isPublished, fetched: 'changes' };
}
