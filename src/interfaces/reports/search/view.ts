/** An edition as searches show it on a day: names and roles of organisations, and their texts. */

import { type Edition, primaryRoles } from '../../../directory/edition/edition.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import { displaysOf } from '../../../directory/record/concepts.ts';

export interface SearchView {
  readonly edition: Edition;
  /** `YYYY-MM-DD`. Relationships and roles are those in force on it. */
  readonly day: string;
  /** The name of the organisation with this row, which is numbered as in `links`. */
  nameOf(row: number | undefined): string | undefined;
  /** The code of its primary role, without `RO`. */
  primaryRoleOf(row: number | undefined): string | undefined;
  roleName(role: string | undefined): string | undefined;
}

/** It keeps the names that it has found: many organisations have a relationship to the same one. */
export function createSearchView(edition: Edition, day: string): SearchView {
  const { codeSystems } = edition;
  const roleNames = displaysOf(codeSystems.roles);
  const names = new Map<number, string | undefined>();
  const primaryRoleAt = primaryRoles(edition);
  return {
    edition,
    day,
    nameOf: (row) => {
      if (row === undefined) return undefined;
      if (!names.has(row)) names.set(row, recordAt(edition, row).name);
      return names.get(row);
    },
    primaryRoleOf: (row) => (row === undefined ? undefined : primaryRoleAt(row)),
    roleName: (role) => (role === undefined ? undefined : roleNames.get(role)),
  };
}
