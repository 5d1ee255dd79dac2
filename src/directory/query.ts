/** A search of the directory: criteria over the fields that its index holds. */
import type { Query } from '../fhir/search/criterion.ts';
import type { CriterionOf, SortKeyOf } from './index/columns/columns.ts';
import type { OrganizationColumns } from './index/organization-index.ts';

export type DirectoryCriterion = CriterionOf<OrganizationColumns>;

export type DirectoryQuery = Query<DirectoryCriterion>;

/** A key of the order of results: the name, the last change, or the row, which is the order of codes. */
export type DirectorySortKey = SortKeyOf<OrganizationColumns>;
