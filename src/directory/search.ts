/** A search as a face parsed it: the query, and the page of it that the client wants. */
import type { Query } from './query.ts';

export interface Search {
  readonly query: Query;
  /** Matches on a page; 0 where only the total is wanted. */
  readonly count: number;
  /** From 1. */
  readonly page: number;
  /** The number of the edition that the request names. */
  readonly edition: number | undefined;
  readonly isCountOnly: boolean;
  /** The parameters that were used, in the order of the request, as links repeat them. */
  readonly pairs: readonly { readonly name: string; readonly text: string }[];
  /** Whether a lenient search ignored a parameter. */
  readonly hasIgnored: boolean;
}
