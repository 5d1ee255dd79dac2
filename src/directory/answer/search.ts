/** A search as a face parsed it: the query, and the page of it that the client wants. */
import type { ParsedSearch } from '../../fhir/search/parse-search-query.ts';
import type { ResultOptions } from '../../fhir/search/result-parameters.ts';
import type { Edition } from '../edition/edition.ts';
import type { DirectoryCriterion, Page } from '../query.ts';
import type { ResourceObject } from './resource-parts.ts';

export type Search = ParsedSearch<DirectoryCriterion, PageOptions> & Partial<SearchChoices>;

/** The part of a search of any type that its links need. */
export type PagedSearch = PageOptions & Pick<Search, 'pairs'>;

/** The further parts of a search in some faces. */
export interface SearchChoices {
  /** The page of matches. Absent: full records in the order of their codes. */
  find(edition: Edition): Page;
  /** The resources of other types that the page of these rows includes. */
  include(edition: Edition, rows: readonly number[]): Iterable<IncludedResource>;
  /** The part of a match that the client wants. Absent: all of it. */
  subset(resource: ResourceObject): ResourceObject;
}

export interface IncludedResource {
  readonly fullUrl: string;
  readonly resource: ResourceObject;
}

export interface PageOptions extends ResultOptions {
  readonly paging: Paging;
  /** Where the page starts, in the unit of the paging. */
  readonly start: number;
  /** The number of the edition that the request names. */
  readonly edition: number | undefined;
}

/** How a face numbers the pages of a search, in requests and in links. */
export interface Paging {
  readonly parameter: '_page' | '_offset';
  /** Where the first page starts. */
  readonly first: number;
  /** The number of matches before the page that starts here. */
  offsetOf(start: number, count: number): number;
  /** Where the page starts that has this number of matches before it. */
  startAt(offset: number, count: number): number;
}

export const PAGE_NUMBERS: Paging = {
  parameter: '_page',
  first: 1,
  // Beyond JavaScript's whole numbers, products are not exact.
  offsetOf: (page, count) =>
    Math.min(page - 1, Math.floor(Number.MAX_SAFE_INTEGER / count)) * count,
  startAt: (offset, count) => offset / count + 1,
};

export const ROW_OFFSETS: Paging = {
  parameter: '_offset',
  first: 0,
  offsetOf: (offset) => offset,
  startAt: (offset) => offset,
};

/** The number of matches before the page. */
export function offsetOf({ paging, start, count }: PageOptions): number {
  return paging.offsetOf(start, count);
}

/** Whether the Bundle is written in pieces. Without included resources, most pages have 20 matches. */
export function isLargePage({ count }: Pick<PageOptions, 'count'>, hasIncluded: boolean): boolean {
  return hasIncluded || count > SMALL_PAGE;
}

/** Writing 100 organisations takes up to two milliseconds from templates, and ten from resources. */
const SMALL_PAGE = 100;
