/** Finds organisations in both sections of an edition. */
import type { Edition } from '../edition.ts';
import type { DirectorySortKey, Page } from '../query.ts';
import { offsetOf, type PageOptions } from '../search.ts';
import { searchSections } from '../search-sections.ts';
import { changeTest, type SectionCriterion, sectionQuery } from './section-criteria.ts';

export interface FindOptions extends PageOptions {
  /** Empty: full records before reference-only ones, both in the order of their codes. */
  readonly sort: readonly DirectorySortKey[];
}

/** The rows are numbered over both sections. */
export function findOrganizations(
  edition: Edition,
  criteria: readonly SectionCriterion[],
  options: FindOptions,
): Page {
  const { count, sort } = options;
  const offset = offsetOf(options);
  const queries = {
    full: sectionQuery(criteria, 'Full'),
    references: sectionQuery(criteria, 'RefOnly'),
  };
  const isWanted = changeTest(edition, criteria);
  if (isWanted === false) return { total: 0, rows: [] };
  if (isWanted === true) return searchSections(edition, queries, offset, count, sort);
  const { rowCount } = edition.relations;
  const rows = searchSections(edition, queries, 0, rowCount, sort).rows.filter(isWanted);
  return { total: rows.length, rows: rows.slice(offset, offset + count) };
}
