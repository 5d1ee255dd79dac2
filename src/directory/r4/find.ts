/** Finds organisations in both sections of an edition. */

import { offsetOf, type PageOptions } from '../answer/search.ts';
import { searchSections } from '../answer/search-sections.ts';
import type { Edition } from '../edition/edition.ts';
import type { Page } from '../index/search-index.ts';
import type { DirectorySortKey } from '../query.ts';
import { type SectionCriterion, sectionQuery } from './section-criteria.ts';

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
  const queries = {
    full: sectionQuery(criteria, 'Full'),
    references: sectionQuery(criteria, 'RefOnly'),
  };
  return searchSections(edition, queries, offsetOf(options), count, sort);
}
