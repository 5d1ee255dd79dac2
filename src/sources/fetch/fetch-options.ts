/** What every source that is fetched needs, and what it reports. */

import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import type { ImportReport } from '../../directory/import/import-edition.ts';
import type { HttpClient } from '../http/http-options.ts';
import type { FetchOptions } from '../import/import-options.ts';

/** What a source of changes between releases needs. */
export interface ChangesOptions extends FetchOptions {
  readonly client: HttpClient;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** A private folder for what was fetched, and the state. */
  readonly folder: string;
  /** The number of days of changes that each fetch asks for again. */
  readonly overlapDays: number;
}

export interface FetchReport {
  /** Counts the records that were fetched. The edition is the current one, new or not. */
  readonly report: ImportReport;
  readonly isPublished: boolean;
  /** `nothing` if the source says that it has not changed. */
  readonly fetched: 'everything' | 'changes' | 'nothing';
}

/** The report if there was nothing to read. */
export function nothingFetched(edition: EditionInfo): FetchReport {
  return {
    report: { edition, read: 0, imported: 0, leftOut: {}, warnings: {} },
    isPublished: false,
    fetched: 'nothing',
  };
}
