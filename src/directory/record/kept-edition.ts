/** The edition before, from which an import takes the records that stay. */
import type { NamedArrays } from './arrays.ts';
import type { Rows } from './rows.ts';

export interface KeptEdition {
  readonly arrays: NamedArrays;
  /** The full records. */
  readonly rows: Rows;
  readonly references: { readonly rows: Rows };
  /** Rows are numbered over both sections. */
  readonly relations: { codeOf(row: number): string };
}
