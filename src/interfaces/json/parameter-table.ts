/**
 * The parameters of a door as a table: queries, paths, bodies, forms and commands are read by it, and
 * the OpenAPI description, the words of the log and the fields of pages are made from it.
 */

import type { Kind, ValueOfKind } from './kinds.ts';

/** A row of a table. */
export interface ParameterRow<Value = unknown> {
  /** For people and the OpenAPI description. Without it, the name says all. */
  readonly documentation?: string;
  readonly kind: Kind<Value>;
  /** A value that is valid. */
  readonly example: string;
  readonly isRequired?: boolean;
  /** Whether clients may send it several times. It then has a list of values. */
  readonly isRepeatable?: boolean;
  /** Further conditions that its text must meet. */
  readonly checks?: readonly ParameterCheck[];
  /** The own texts of a door, in place of the usual ones. */
  readonly texts?: {
    readonly missing?: string;
    readonly invalid?: string;
  };
}

export interface ParameterCheck {
  readonly isMet: (text: string) => boolean;
  /** The text of the error if it is not met. */
  readonly text: string;
}

/** The parameters by their names. */
export type ParameterTable = Readonly<Record<string, ParameterRow>>;

/** The values that a table gives. */
export type ValuesOf<Table extends ParameterTable> = {
  readonly [Name in keyof Table]: ValuesOfParameter<Table[Name]>;
};

type ValuesOfParameter<Row extends ParameterRow> = Row extends { readonly isRepeatable: true }
  ? readonly ValueOfKind<Row['kind']>[]
  : Row extends { readonly isRequired: true }
    ? ValueOfKind<Row['kind']>
    : ValueOfKind<Row['kind']> | undefined;

/** A table as it is written, so that its values have exact types. */
export function tableOf<const Table extends ParameterTable>(table: Table): Table {
  return table;
}
