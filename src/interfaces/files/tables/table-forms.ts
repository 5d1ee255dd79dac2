/** The forms of the files for analysis. */
import type { Download } from '../../../fhir/service/interaction.ts';
import type { TableForm } from './table.ts';

interface TableFormTexts
  extends Pick<Download, 'name' | 'documentation' | 'contentType' | 'isCompressed'> {
  /** The end of its address, and of its name. */
  readonly ending: string;
}

const described = (form: string) =>
  `All records of the current edition with their roles, relationships and successions, ${form}. ` +
  'The first request after a publication waits until the file is made. The answer is 404 if the ' +
  'edition has no relationship data.';

export const TABLE_FORMS = {
  sqlite: {
    name: 'currentSqlite',
    documentation: described('as tables of an SQLite database'),
    contentType: 'application/vnd.sqlite3',
    ending: '.sqlite',
  },
  parquet: {
    name: 'currentParquet',
    documentation: described('as Parquet files in a zip'),
    contentType: 'application/zip',
    isCompressed: true,
    ending: '.parquet.zip',
  },
} as const satisfies Readonly<Record<TableForm, TableFormTexts>>;

export const TABLE_FORM_NAMES: readonly TableForm[] = ['sqlite', 'parquet'];
