/** Imports files of organisations as a new edition: whole directories, or changes of the current one. */

import { type LoadedEdition, openEdition } from '../../directory/edition/edition.ts';
import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import { applyTopUp, type TopUpSummary } from '../../directory/import/apply-top-up.ts';
import { type ImportReport, importEdition } from '../../directory/import/import-edition.ts';
import { knownRecords } from '../../directory/import/known-records.ts';
import { TopUp } from '../../directory/import/top-up.ts';
import { SourceError, type SourceReceiver } from '../../directory/record/source.ts';
import type { FetchOptions } from './import-options.ts';
import { type ReadSourceOptions, readSource } from './read-source.ts';

interface ImportSourcesOptions extends FetchOptions {
  readonly files: readonly ReadSourceOptions['file'][];
  /** A short label of where the records come from. */
  readonly source: string;
  readonly includeArchive: boolean;
  /** Refuse a release that is older than that of the current edition. */
  readonly refuseOlder?: boolean;
  /**
   * Publish nothing if the records are those of the current edition. The default is true for
   * changes, and false for whole directories.
   */
  readonly onlyChanges?: boolean;
  /** Read every record, and build the index from nothing. */
  readonly isFull?: boolean;
}

export interface SourcesReport extends ImportReport {
  /** What changes did; absent for whole directories. */
  readonly topUp?: TopUpSummary;
  readonly isPublished: boolean;
}

/** Throws a SourceError if a file is not valid. The current edition then stays. */
export async function importSources(options: ImportSourcesOptions): Promise<SourcesReport> {
  const { store } = options;
  let topUp: TopUpSummary | undefined;
  let before: number | undefined;
  const report = await importEdition({
    ...options,
    labelOf: () =>
      topUp === undefined ? undefined : `changes to edition ${topUp.edition}: ${options.source}`,
    onlyChanges: () => options.onlyChanges ?? topUp !== undefined,
    read: async (receiver, edition) => {
      before = (await store.current())?.number;
      topUp = await readFiles(receiver, options, edition);
    },
  });
  return {
    ...report,
    ...(topUp !== undefined && { topUp }),
    isPublished: report.edition.number !== before,
  };
}

/** Returns what changes did; undefined for whole directories. */
async function readFiles(
  receiver: SourceReceiver,
  options: ImportSourcesOptions,
  before: LoadedEdition | undefined,
): Promise<TopUpSummary | undefined> {
  const known = before === undefined || options.isFull === true ? undefined : knownRecords(before);
  const { files, store, say, bytesMax } = options;
  const now = new Date(options.now());
  const topUp = new TopUp(receiver, now);
  let hasManifest = false;
  const whole: SourceReceiver = {
    ...receiver,
    manifest: (manifest) => {
      hasManifest = true;
      receiver.manifest(manifest);
    },
  };
  for (const file of files) {
    const more = { file, receiver: whole, topUp, unpackedBytesMax: bytesMax, now, known };
    await readSource({ ...options, ...more });
  }
  const [name] = topUp.files;
  if (name === undefined) return undefined;
  if (hasManifest) {
    throw new SourceError(
      `${name} has changes, and the other files have a whole directory. Import them one after the other.`,
    );
  }
  const current = await store.current();
  if (current === undefined) {
    throw new SourceError(
      `${name} has changes, and there is no edition to apply them to. Import a release first.`,
    );
  }
  say(`${topUp.files.join(', ')}: changes. All other records of edition ${current.number} stay.`);
  return applyTopUp(before ?? (await loadEdition(store, current)), topUp, receiver);
}

/** Rejects if the edition is damaged. */
async function loadEdition(
  store: FetchOptions['store'],
  current: EditionInfo,
): Promise<LoadedEdition> {
  const arrays = await store.load(current.number);
  return { ...openEdition(current, arrays), arrays };
}
