/** A search as understood: the form between the request's parameters and the index. */

export type StringField = 'name' | 'postalCode' | 'city';
export type StringMatch = 'startsWith' | 'contains' | 'exact';

/** One search condition. All values in `values` are alternatives (OR), decoded and unescaped. */
export type Criterion =
  /** The organisation code, exactly (`_id`) or whatever the case (`identifier`). */
  | { readonly kind: 'code'; readonly values: readonly string[]; readonly ignoreCase: boolean }
  | {
      readonly kind: 'string';
      readonly field: StringField;
      readonly match: StringMatch;
      readonly values: readonly string[];
    }
  /** Last changed at or after one of these instants, in milliseconds since 1970 UTC. */
  | { readonly kind: 'changed'; readonly values: readonly number[] }
  | { readonly kind: 'active'; readonly values: readonly boolean[] }
  /**
   * Has one of these roles (code without `RO`). With `primary: true` only where the primary role's
   * code is among them; with `primary: false` only where one of them is held that is not the
   * primary role's code.
   */
  | { readonly kind: 'role'; readonly values: readonly string[]; readonly primary?: boolean };

/** All criteria hold (AND); none means every row. */
export interface Query {
  readonly criteria: readonly Criterion[];
}

/** The rows of one page in order of organisation code, and how many rows match in all. */
export interface Page {
  readonly total: number;
  readonly rows: readonly number[];
}
