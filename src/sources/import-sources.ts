/** Imports files of organisations as a new edition: whole directories, or changes of the current one. */
import type { TopUpSummary } from '../directory/import/apply-top-up.ts';
import { type ImportReport, importEdition } from '../directory/import/import-edition.ts';
import type { FetchOptions } from './fetch-options.ts';
import type { ReadSourceOptions } from './read-source.ts';
import { readSources } from './read-sources.ts';

export interface ImportSourcesOptions extends FetchOptions {
  readonly files: readonly ReadSourceOptions['file'][];
  /** A short label of where the records come from. */
  readonly source: string;
  readonly includeArchive: boolean;
  /** Refuse a release that is older than that of the current edition. */
  readonly refuseOlder?: boolean;
  /** Publish nothing if the records are those of the current edition. Changes never do. */
  readonly onlyChanges?: boolean;
}

export interface SourcesReport extends ImportReport {
  /** What changes did; absent for whole directories. */
  readonly topUp?: TopUpSummary;
  readonly isPublished: boolean;
}

/** Throws a SourceError if a file is not valid. The current edition then stays. */
export async function importSources(options: ImportSourcesOptions): Promise<SourcesReport> {
  const { store, bytesMax, now } = options;
  let topUp: TopUpSummary | undefined;
  let before: number | undefined;
  const report = await importEdition({
    ...options,
    labelOf: () =>
      topUp === undefined ? undefined : `changes to edition ${topUp.edition}: ${options.source}`,
    onlyChanges: () => topUp !== undefined || options.onlyChanges === true,
    read: async (receiver) => {
      before = (await store.current())?.number;
      topUp = await readSources({
        ...options,
        unpackedBytesMax: bytesMax,
        receiver,
        now: new Date(now()),
      });
    },
  });
  return {
    ...report,
    ...(topUp !== undefined && { topUp }),
    isPublished: report.edition.number !== before,
  };
}
