/** What the sources of changes share: the records before, and the import of what they fetched. */
import { openEdition } from '../directory/edition/edition.ts';
import type { EditionInfo } from '../directory/edition/edition-store.ts';
import { SourceError } from '../directory/import/source.ts';
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
