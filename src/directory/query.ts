/** A search of the directory: criteria over the fields that its index holds. */
import type { Query } from '../fhir/search/criterion.ts';
import type { CriterionOf } from './index/columns.ts';
import type { OrganizationColumns } from './index/organization-columns.ts';

export type DirectoryCriterion = CriterionOf<OrganizationColumns>;

export type DirectoryQuery = Query<DirectoryCriterion>;

/** The rows of one page in ascending order, and the number of rows that match in all. */
export interface Page {
  readonly total: number;
  readonly rows: readonly number[];
}
