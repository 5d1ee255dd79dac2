/** Searches both sections of an edition as one: the full records, and the reference-only ones. */

import { nearOf } from '../../directory/ask/near.ts';
import { ROW_FIELD } from '../../directory/index/columns/columns.ts';
import type {
  DirectoryQuery,
  DirectorySortKey,
  OrganizationIndex,
} from '../../directory/index/organization-index.ts';
import type { Page } from '../../directory/index/search-index.ts';
import type { NearCriterion } from '../../fhir/search/criterion.ts';

interface Sections {
  readonly index: OrganizationIndex;
  readonly references: { readonly index: OrganizationIndex };
}

/** The query of each section; undefined for a section whose records cannot match. */
export interface SectionQueries {
  readonly full: DirectoryQuery | undefined;
  readonly references: DirectoryQuery | undefined;
}

/**
 * The rows are numbered as in `links`. Without `sort`, the full records come before the
 * reference-only ones, both in the order of their codes; near a place, the nearest come first.
 */
export function searchSections(
  sections: Sections,
  queries: SectionQueries,
  offset: number,
  limit: number,
  sort: readonly DirectorySortKey[] = [],
): Page {
  const { index, references } = sections;
  const searchFull: SearchSection = (from, most) =>
    searchSection(index, queries.full, from, most, sort);
  const searchReferences: SearchSection = (from, most) => {
    const { total, rows } = searchSection(references.index, queries.references, from, most, sort);
    return { total, rows: rows.map((row) => row + index.count) };
  };
  const near = nearOf(queries.full?.criteria ?? []);
  return sort.length === 0 && near === undefined
    ? concatenate(searchFull, searchReferences, offset, limit)
    : merge(searchFull, searchReferences, offset, limit, rowComparator(sections, sort, near));
}

/** The rows of one section, numbered as in `links`. */
type SearchSection = (offset: number, limit: number) => Page;

const NOTHING: Page = { total: 0, rows: [] };

function searchSection(
  index: OrganizationIndex,
  query: DirectoryQuery | undefined,
  offset: number,
  limit: number,
  sort: readonly DirectorySortKey[],
): Page {
  return query === undefined ? NOTHING : index.search(query, offset, limit, sort);
}

function concatenate(
  searchFull: SearchSection,
  searchReferences: SearchSection,
  offset: number,
  limit: number,
): Page {
  const full = searchFull(offset, limit);
  const rest = searchReferences(Math.max(0, offset - full.total), limit - full.rows.length);
  return { total: full.total + rest.total, rows: [...full.rows, ...rest.rows] };
}

/** Reads more rows than the page has, because any of them can be reference-only ones. */
function merge(
  searchFull: SearchSection,
  searchReferences: SearchSection,
  offset: number,
  limit: number,
  compare: (one: number, other: number) => number,
): Page {
  const end = limit === 0 ? 0 : offset + limit;
  const references = searchReferences(0, end);
  // The full records that come before the page even if all reference-only ones do, too.
  const before = Math.max(0, offset - references.rows.length);
  const full = searchFull(before, Math.max(0, end - before));
  const rows: number[] = [];
  let ofFull = 0;
  let ofReferences = 0;
  for (let place = before; place < end; place++) {
    const one = full.rows[ofFull];
    const other = references.rows[ofReferences];
    if (one === undefined && other === undefined) break;
    const isOne = other === undefined || (one !== undefined && compare(one, other) < 0);
    const row = isOne ? full.rows[ofFull++] : references.rows[ofReferences++];
    if (row !== undefined && place >= offset) rows.push(row);
  }
  return { total: full.total + references.total, rows };
}

/** Compares rows of different sections. Rows with equal values of all keys are ordered by code. */
function rowComparator(
  { index, references }: Sections,
  sort: readonly DirectorySortKey[],
  near: NearCriterion | undefined,
) {
  const keys: SectionKey[] = sort.map(({ field, isDescending }) => ({
    isDescending,
    read: (section, row) =>
      field === ROW_FIELD ? section.codeOf(row) : section.sortValue(field, row),
  }));
  if (sort.length === 0 && near !== undefined) {
    keys.push({ read: (section, row) => section.distanceOf(near, row) ?? 0 });
  }
  keys.push({ read: (section, row) => section.codeOf(row) });
  return (one: number, other: number): number => {
    for (const { isDescending = false, read } of keys) {
      const [first, second] = [one, other].map((row) =>
        row < index.count ? read(index, row) : read(references.index, row - index.count),
      );
      if (first === second) continue;
      if (first === undefined) return 1;
      if (second === undefined) return -1;
      return first < second === isDescending ? 1 : -1;
    }
    return 0;
  };
}

interface SectionKey {
  readonly isDescending?: boolean;
  read(section: OrganizationIndex, row: number): string | number | undefined;
}
