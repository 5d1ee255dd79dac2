/** The active organisations nearest to a place, as the command line and the library answer it. */

import type { Edition } from '../edition/edition.ts';
import { type DirectoryCriterion, tokenCriterion } from '../index/organization-index.ts';
import type { NearOptions, Neighbour, Neighbours } from './answers.ts';
import { kilometres, NEAR_KILOMETRES_MAX, readNear, WRITE_PLACE } from './near.ts';
import { rolesMeant, unknownRole } from './role-words.ts';

/** Millimetres. Larger numbers of digits are not written as decimals. */
const DECIMALS = 6;
const LIMIT_DEFAULT = 20;

/**
 * Throws a RangeError that says what to do if a value is not valid, or if there are no postcodes.
 *
 * @param place a postcode, or a latitude, a comma and a longitude
 */
export function findNear(
  edition: Edition,
  place: string,
  { role, within = NEAR_KILOMETRES_MAX, limit = LIMIT_DEFAULT }: NearOptions = {},
): Neighbours {
  const { index, rows, postcodes } = edition;
  if (place.includes('|')) throw new RangeError(`The place has more than one part. ${WRITE_PLACE}`);
  if (!(within > 0 && within <= NEAR_KILOMETRES_MAX)) {
    throw new RangeError(
      `within must be a number above 0, and at most ${NEAR_KILOMETRES_MAX} kilometres. Got ${within}.`,
    );
  }
  const near = readNear(`${place}|${within.toFixed(DECIMALS)}`, postcodes, 'near', WRITE_PLACE);
  if ('issues' in near) throw new RangeError(near.issues[0]?.diagnostics);
  const roles = role === undefined ? [] : rolesMeant(edition, role);
  if (role !== undefined && roles.length === 0) {
    throw new RangeError(unknownRole(edition, role));
  }
  const criteria: DirectoryCriterion[] = [tokenCriterion('active', ['true']), near.value];
  if (roles.length > 0) criteria.push(tokenCriterion('role', roles));
  const found = index.search({ criteria }, 0, limit);
  const organizations = found.rows.map((row): Neighbour => {
    const { code, name, address, roles: held } = rows.recordAt(row);
    return {
      code,
      ...(name && { name }),
      ...(held[0] && { role: `RO${held[0].code}` }),
      ...(address?.city && { town: address.city }),
      ...(address?.postalCode && { postcode: address.postalCode }),
      kilometres: kilometres(index.distanceOf(near.value, row) ?? 0),
    };
  });
  return { total: found.total, organizations };
}
