/** What an operator imports beside the editions, such as postcodes: named arrays, and what they are. */
import type { NamedArrays } from './arrays.ts';

export interface AboutTable {
  /** Changes whenever the operator imports other content. */
  readonly version: string;
  /** The names of the files that were imported. */
  readonly source: string;
  /** An instant of ISO 8601. */
  readonly importedAt: string;
}

export interface StoredTable<About extends AboutTable = AboutTable> {
  readonly about: About;
  readonly arrays: NamedArrays;
}
