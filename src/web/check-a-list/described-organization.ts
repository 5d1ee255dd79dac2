/** What tells organisations of the same name apart. */

import type { Edition } from '../../directory/edition/edition.ts';
import { findRow } from '../../directory/edition/source-record.ts';
import { rolesOf } from '../parts/code-names.ts';

export interface DescribedOrganization {
  /** The name of the role by which people know it. */
  readonly role?: string;
  readonly town?: string;
  readonly postcode?: string;
  readonly isActive: boolean;
}

/** Undefined if the edition has no record of the code. */
export function describedOrganization(
  edition: Edition,
  code: string,
): DescribedOrganization | undefined {
  const row = findRow(edition.index, code)?.row;
  if (row === undefined) return undefined;
  const { address, roles, isActive } = edition.rows.recordAt(row);
  const { city, postalCode } = address ?? {};
  const known = rolesOf(edition);
  const main = known.mainOf(roles);
  return {
    ...(main !== undefined && { role: known.name(main) }),
    ...(city !== undefined && { town: city }),
    ...(postalCode !== undefined && { postcode: postalCode }),
    isActive,
  };
}
