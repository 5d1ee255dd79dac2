/** The links of a search: to itself, and to the other pages of the same edition. */
import type { Search } from './search.ts';

export interface SearchLink {
  readonly relation: string;
  readonly url: string;
}

/** The search that links belong to: the address of its type, its self link, its total. */
export interface LinkedSearch {
  readonly search: Search;
  readonly typeUrl: string;
  readonly selfQuery: string;
  readonly total: number;
  readonly editionNumber: number;
}

/** `self`, and the links to other pages if there are any. */
export function searchLinks(linked: LinkedSearch): readonly SearchLink[] {
  const { search, typeUrl, selfQuery, total, editionNumber } = linked;
  const self = { relation: 'self', url: `${typeUrl}?${selfQuery}` };
  if (search.isCountOnly) return [self];
  const lastPage = Math.max(1, Math.ceil(total / search.count));
  const here = search.page;
  if (lastPage === 1 && here === 1) return [self];
  const query = queryByPage(search, editionNumber);
  const link = (relation: string, page: number) => ({ relation, url: `${typeUrl}?${query(page)}` });
  return [
    self,
    link('first', 1),
    ...(here > 1 ? [link('previous', Math.min(here - 1, lastPage))] : []),
    ...(here < lastPage ? [link('next', here + 1)] : []),
    link('last', lastPage),
  ];
}

/** The query of the self link. It names the edition only if the request did. */
export function selfQueryOf(search: Search, editionNumber: number): string {
  return queryByPage(search, search.edition === undefined ? undefined : editionNumber)(search.page);
}

/**
 * The queries of links by page: the used parameters in the order of the request, with the size and
 * number of the page, and the edition if the request names it.
 */
function queryByPage(search: Search, edition: number | undefined): (page: number) => string {
  const paging = new Map<string, string>();
  if (search.isCountOnly) {
    paging.set('_summary', 'count');
  } else {
    paging.set('_count', String(search.count));
    paging.set('_page', PAGE_PLACE);
  }
  if (edition !== undefined) paging.set('_edition', String(edition));
  let query = '';
  for (const { name, text } of search.pairs) {
    if (!PAGING_NAMES.has(name)) {
      query = joined(query, text);
    } else if (paging.has(name)) {
      query = joined(query, `${name}=${paging.get(name)}`);
      paging.delete(name);
    }
  }
  for (const [name, value] of paging) query = joined(query, `${name}=${value}`);
  const place = query.indexOf(PAGE_PLACE);
  if (place < 0) return () => query;
  const before = query.slice(0, place);
  const after = query.slice(place + PAGE_PLACE.length);
  return (page) => before + page + after;
}

function joined(query: string, pair: string): string {
  return query === '' ? pair : `${query}&${pair}`;
}

/** Stands for the number of the page. Percent-encoded text never contains it. */
const PAGE_PLACE = '<page>';

const PAGING_NAMES = new Set(['_count', '_page', '_edition', '_summary']);
