/** A search as a face parses it: the query, the page of it that the client wants, and its links. */

import type { Edition } from '../../directory/edition/edition.ts';
import type { DirectoryCriterion } from '../../directory/index/organization-index.ts';
import type { Page } from '../../directory/index/search-index.ts';
import type { ResultParameter } from '../../fhir/search/parameter.ts';
import type { ParsedSearch } from '../../fhir/search/parse-search-query.ts';
import { refused } from '../../fhir/search/parsed.ts';
import {
  countParameter,
  FORMAT_PARAMETERS,
  parseWholeNumber,
  type ResultOptions,
  resultParameter,
  summaryParameter,
} from '../../fhir/search/result-parameters.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import type { DirectorySettings } from '../answer/settings.ts';

export type Search = ParsedSearch<DirectoryCriterion, PageOptions> & Partial<SearchChoices>;

/** The part of a search of any type that its links need. */
export type PagedSearch = PageOptions & Pick<Search, 'pairs' | 'emptyNames'>;

/** The further parts of a search in some faces. */
export interface SearchChoices {
  /** The page of matches. Absent: full records in the order of their codes. */
  find(edition: Edition): Page;
  /** The resources of other types that the page of these rows includes. */
  include(edition: Edition, rows: readonly number[]): Iterable<IncludedResource>;
  /** A match as the client wants it. Absent: the organisation as it is. */
  shown(resource: ResourceObject): ResourceObject;
  /** The extensions of `search` in the entry of a match. Absent: there are none. */
  extensionsOf(edition: Edition, row: number): readonly object[];
  /** What the client should know besides the matches, as sentences. */
  notesOf(edition: Edition): readonly string[];
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

const PAGE_NUMBERS: Paging = {
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

/**
 * The notes are on the first page, and in the answer to a search for the total. Parameters that were
 * ignored have a note too: a program that sends an empty variable would not learn otherwise that it
 * got everything.
 */
export function notesOnPage(
  search: PageOptions & Pick<Search, 'emptyNames'>,
  notesOf: () => readonly string[],
): readonly string[] {
  if (!search.isCountOnly && offsetOf(search) > 0) return [];
  const ofEmpty = (search.emptyNames ?? []).map(
    (name) => `The parameter ${name} has no value, so the search ignored it. Send a value.`,
  );
  return [...ofEmpty, ...notesOf()];
}

/** The number of matches before the page. */
export function offsetOf({ paging, start, count }: PageOptions): number {
  return paging.offsetOf(start, count);
}

/** Whether the Bundle is written in pieces. Without included resources, most pages have 20 matches. */
export function isLargePage({ count }: Pick<PageOptions, 'count'>, hasIncluded: boolean): boolean {
  return hasIncluded || count > SMALL_PAGE;
}

/** As a kind of long answers. */
export const LARGE_PAGES = 'large pages';

/** Whether each match is the same in every search, so that templates can write its entry. */
export function hasPlainEntries({ shown, extensionsOf }: Partial<SearchChoices>): boolean {
  return shown === undefined && extensionsOf === undefined;
}

/** Writing 100 organisations takes up to two milliseconds from templates, and ten from resources. */
const SMALL_PAGE = 100;

export interface SearchLink {
  readonly relation: string;
  readonly url: string;
}

/** The search that links belong to: the address of its type, its self link, its total. */
export interface LinkedSearch {
  readonly search: PagedSearch;
  readonly typeUrl: string;
  readonly selfQuery: string;
  readonly total: number;
  /** Undefined: the links do not name the edition. */
  readonly editionNumber: number | undefined;
}

/** `self`, and the links to other pages if there are any. */
export function searchLinks(linked: LinkedSearch): readonly SearchLink[] {
  const { search, typeUrl, selfQuery, total, editionNumber } = linked;
  const self = { relation: 'self', url: `${typeUrl}?${selfQuery}` };
  if (search.isCountOnly) return [self];
  const { count, paging } = search;
  const here = offsetOf(search);
  // Pages that start at a row in the middle of the first page stay aligned with that row.
  const aligned = here % count;
  const last = total > aligned ? aligned + Math.floor((total - aligned - 1) / count) * count : 0;
  if (last === 0 && here === 0) return [self];
  const query = queryByStart(search, editionNumber);
  const link = (relation: string, offset: number) => ({
    relation,
    url: `${typeUrl}?${query(paging.startAt(offset, count))}`,
  });
  return [
    self,
    link('first', 0),
    ...(here > 0 ? [link('previous', Math.max(0, Math.min(here - count, last)))] : []),
    ...(here < last ? [link('next', here + count)] : []),
    link('last', last),
  ];
}

/** The query of the self link. It names the edition only if the request did. */
export function selfQueryOf(search: PagedSearch, editionNumber?: number): string {
  const edition = search.edition === undefined ? undefined : editionNumber;
  return queryByStart(search, edition)(sentStart(search));
}

/** The start of the page. Beyond JavaScript's whole numbers, it is the text that the client sent. */
function sentStart({ start, paging, pairs }: PagedSearch): string {
  const sent = pairs.find(({ name }) => name === paging.parameter);
  const isExact = start < Number.MAX_SAFE_INTEGER || sent === undefined;
  return isExact ? String(start) : sent.text.slice(paging.parameter.length + '='.length);
}

/**
 * The queries of links by the start of the page: the used parameters in the order of the request,
 * with the size and start of the page, and the edition if the request names it.
 */
function queryByStart(
  search: PagedSearch,
  edition: number | undefined,
): (start: number | string) => string {
  const paging = new Map<string, string>();
  if (search.isCountOnly) {
    paging.set('_summary', 'count');
  } else {
    paging.set('_count', String(search.count));
    paging.set(search.paging.parameter, START_PLACE);
  }
  if (edition !== undefined) paging.set('_edition', String(edition));
  let query = '';
  for (const { name, text } of search.pairs) {
    if (paging.has(name)) {
      query = joined(query, `${name}=${paging.get(name)}`);
      paging.delete(name);
    } else if (!PAGING_NAMES.has(name)) {
      query = joined(query, text);
    }
  }
  for (const [name, value] of paging) query = joined(query, `${name}=${value}`);
  const place = query.indexOf(START_PLACE);
  if (place < 0) return () => query;
  const before = query.slice(0, place);
  const after = query.slice(place + START_PLACE.length);
  return (start) => before + start + after;
}

function joined(query: string, pair: string): string {
  return query === '' ? pair : `${query}&${pair}`;
}

/** Stands for the start of the page. Percent-encoded text never contains it. */
const START_PLACE = '<start>';

const PAGING_NAMES = new Set(['_count', '_page', '_offset', '_edition']);

interface PageContext {
  readonly settings: DirectorySettings;
}

/** The parameter in the links of a search by which all its pages belong to one edition. */
export const EDITION_PARAMETER: ResultParameter<PageOptions> = resultParameter(
  {
    name: '_edition',
    type: 'number',
    documentation: 'The edition that the links of a search belong to.',
  },
  (text) => {
    const edition = parseWholeNumber(text);
    if (edition !== undefined) return { value: { edition } };
    return refused(
      'invalid-value',
      'Supplied _edition is invalid, it must be the number of an edition',
    );
  },
);

export const OFFSET_PARAMETER: ResultParameter<PageOptions> = resultParameter(
  { name: '_offset', type: 'number', documentation: 'The number of matches before the page.' },
  (text) => {
    const start = parseWholeNumber(text);
    if (start !== undefined) return { value: { start } };
    return refused('invalid-value', `_offset must be a whole number, 0 or more. Got "${text}".`);
  },
);

export const PAGE_PARAMETERS: readonly ResultParameter<PageOptions, PageContext>[] = [
  countParameter(
    ({ settings }: PageContext) => settings.countMax,
    (countMax) =>
      `Supplied limit is invalid, the parameter must take an integer between 0 and ${countMax}`,
  ),
  resultParameter(
    { name: '_page', type: 'number', documentation: 'The number of the page, from 1.' },
    (text) => {
      const start = parseWholeNumber(text);
      if (start !== undefined && start >= 1) return { value: { start } };
      return refused('invalid-value', 'page must be a number larger than 0');
    },
  ),
  EDITION_PARAMETER,
  summaryParameter(['count', 'false']),
  ...FORMAT_PARAMETERS,
];

/** The parameters that the links of a Bundle replace. */
export const PAGE_LINK_PARAMETERS: readonly string[] = ['_count', '_page', '_edition'];

/** The size of a page if the request does not set it. The largest page may be smaller. */
const DEFAULT_COUNT = 20;

export function pageDefaultsOf(countMax: number, paging: Paging = PAGE_NUMBERS): PageOptions {
  return {
    count: Math.min(DEFAULT_COUNT, countMax),
    paging,
    start: paging.first,
    edition: undefined,
    isCountOnly: false,
  };
}
