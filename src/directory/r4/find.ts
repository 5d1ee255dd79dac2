/** Searches the full records of an edition, then its reference-only ones. */
import type { Edition } from '../edition.ts';
import type { DirectoryQuery, Page } from '../query.ts';
import { offsetOf, type PageOptions } from '../search.ts';

export function findInSections(
  { index, references }: Edition,
  search: PageOptions & { readonly query: DirectoryQuery },
): Page {
  const { query, count } = search;
  const offset = offsetOf(search);
  const full = index.search(query, offset, count);
  if (references.index.count === 0) return full;
  const rest = references.index.search(
    query,
    Math.max(0, offset - full.total),
    count - full.rows.length,
  );
  return {
    total: full.total + rest.total,
    rows: [...full.rows, ...rest.rows.map((row) => row + index.count)],
  };
}
