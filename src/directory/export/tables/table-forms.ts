/** The forms of the files for analysis, as downloads. */
import type { Download } from '../../../fhir/service/interaction.ts';
import type { EditionIdentity } from '../../edition/edition.ts';

interface TableFormTexts
  extends Pick<Download, 'name' | 'documentation' | 'contentType' | 'isCompressed'> {
  /** The end of its address, and of its name. */
  readonly ending: string;
}

const CONTENT =
  'All records of the current edition with their roles, relationships and successions';

export const TABLE_FORMS = {
  sqlite: {
    name: 'currentSqlite',
    documentation:
      `${CONTENT}, as tables of an SQLite database. The first request after a publication waits ` +
      'until the file is made. The answer is 404 if the edition has no relationship data.',
    contentType: 'application/vnd.sqlite3',
    ending: '.sqlite',
  },
  parquet: {
    name: 'currentParquet',
    documentation:
      `${CONTENT}, as Parquet files in a zip. The first request after a publication waits ` +
      'until the file is made. The answer is 404 if the edition has no relationship data.',
    contentType: 'application/zip',
    isCompressed: true,
    ending: '.parquet.zip',
  },
} as const satisfies Readonly<Record<string, TableFormTexts>>;

export type TableForm = keyof typeof TABLE_FORMS;

export const TABLE_FORM_NAMES: readonly TableForm[] = ['sqlite', 'parquet'];

export function tableFormOf(name: string): TableForm | undefined {
  return TABLE_FORM_NAMES.find((form) => form === name);
}

/** The files for analysis, which are made outside of this thread. */
export interface TableFiles {
  /** The path of the file, or a promise that resolves when there is one, or cannot be one now. */
  pathOf(edition: EditionIdentity, form: TableForm): string | Promise<void>;
}
