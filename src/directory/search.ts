/** A search as a face parsed it: the query, and the page of it that the client wants. */
import type { ParsedSearch } from '../fhir/search/parse-search-query.ts';
import type { ResultOptions } from '../fhir/search/result-parameters.ts';
import type { DirectoryCriterion } from './query.ts';

export type Search = ParsedSearch<DirectoryCriterion, PageOptions>;

export interface PageOptions extends ResultOptions {
  /** From 1. */
  readonly page: number;
  /** The number of the edition that the request names. */
  readonly edition: number | undefined;
}
