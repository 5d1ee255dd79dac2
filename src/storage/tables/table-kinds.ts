/** The kinds of tables that an operator can import beside the editions. */
import type { AboutTable } from '../../directory/arrays/stored-table.ts';
import type { AboutPostcodes } from '../../directory/places/postcodes.ts';
import type { AboutPractitioners } from '../../directory/practitioners/practitioners.ts';

export interface TableKind<About extends AboutTable = AboutTable> {
  /** What it holds, and the name of its path in `DataFolder`. */
  readonly name: 'postcodes' | 'practitioners';
  /** The command that imports it, with its argument. */
  readonly command: string;
  /** Increase it with every change of the names or meanings of the arrays. */
  readonly format: number;
  /** The number of its entries. */
  readonly count: (about: Omit<About, 'version'>) => number;
}

export const POSTCODE_TABLE: TableKind<AboutPostcodes> = {
  name: 'postcodes',
  command: 'import-postcodes FILE',
  format: 1,
  count: ({ postcodes }) => postcodes,
};

export const PRACTITIONER_TABLE: TableKind<AboutPractitioners> = {
  name: 'practitioners',
  command: 'import-practitioners FILE',
  format: 1,
  count: ({ practitioners }) => practitioners,
};
