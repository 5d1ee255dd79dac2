/** The order for a file of an edition, which a thread makes. */
import type { NamedArrays } from '../../directory/arrays/arrays.ts';
import type { EditionIdentity } from '../../directory/edition/edition.ts';
import type { StoredPostcodes } from '../../directory/places/stored-postcodes.ts';
import type { TableForm } from './tables/table.ts';

/** The forms of files of a whole edition: tables, or its records in the form of the release, as gzip. */
export type FileForm = TableForm | 'release';

/** A file of a whole edition, at a new path. */
export interface FileOrder {
  readonly identity: EditionIdentity;
  readonly arrays: NamedArrays;
  readonly postcodes?: StoredPostcodes | undefined;
  readonly form: FileForm;
  readonly path: string;
  readonly programVersion: string;
}
