/** Keeps the table of a kind that the operator imported last, in every kind of store. */
import type { AboutTable, StoredTable } from '../../directory/arrays/stored-table.ts';
import type { AboutPostcodes } from '../../directory/places/postcodes.ts';
import type { AboutPractitioners } from '../../directory/practitioners/practitioners.ts';
import type { TableKind } from './table-kinds.ts';

/** Keeps one version of a table. */
export interface TableStore<About extends AboutTable = AboutTable> {
  readonly kind: TableKind<About>;
  /** Undefined if none was imported. Throws a `StorageError` if it is damaged. */
  read(): Promise<StoredTable<About> | undefined>;
  /** The same as `encodeTable` made it. */
  bytes(): Promise<Uint8Array | undefined>;
  /** Replaces the table in one step. It is durable when it resolves. */
  publish(bytes: Uint8Array): Promise<void>;
  /**
   * Calls `onNew` with the table, and again each time it was replaced; `onProblem` if it cannot be
   * read. Resolves after the first look, with a function that ends the watch.
   */
  watch(
    onNew: (stored: StoredTable<About>) => void,
    onProblem: (error: unknown) => void,
  ): Promise<() => Promise<void>>;
}

export type PostcodeStore = TableStore<AboutPostcodes>;
export type PractitionerStore = TableStore<AboutPractitioners>;
