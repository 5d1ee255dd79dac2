/** One organisation with what its record says, in fewer words than FHIR needs. */

import type { Edition } from '../../../directory/edition/edition.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import type { OrganizationRecord } from '../../../directory/record/record.ts';
import { arrayOf, oneOf, TEXT } from '../../json/json-schema.ts';
import { compactRowOf, ROW_PROPERTIES, roleNamed, STATUSES } from './rows.ts';
import { FHIR_ORGANIZATION, resultOf } from './schemas.ts';

/** `row` is numbered over both sections of the edition. */
export function detailsOf(edition: Edition, row: number): object {
  const record = recordAt(edition, row);
  const { address, telecoms, roles, lastUpdated } = record;
  return {
    ...compactRowOf(edition, record),
    ...(row >= edition.rows.count && { isReferenceOnly: true }),
    ...(address !== undefined && {
      address: [
        ...address.lines,
        address.city,
        address.district,
        address.postalCode,
        address.country,
      ]
        .filter((part) => part !== undefined)
        .join(', '),
    }),
    contacts: telecoms.map(({ system, value }) => ({ kind: system, value })),
    roles: roles.map(({ code, isPrimary, isActive }) => ({
      ...roleNamed(edition, code),
      isPrimary,
      status: isActive ? 'active' : 'inactive',
    })),
    ...openOf(record),
    lastChanged: lastUpdated.slice(0, DAY_LENGTH),
  };
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** When the organisation worked. */
function openOf({ periods }: OrganizationRecord): { opened?: string; closed?: string } {
  const { start, end } = periods.find(({ kind }) => kind === 'Operational') ?? periods[0] ?? {};
  return {
    ...(start !== undefined && { opened: start }),
    ...(end !== undefined && { closed: end }),
  };
}

/** Of an organisation in these words, or of the resource alone. */
export const DETAILS_SCHEMA = resultOf(
  {
    ...ROW_PROPERTIES,
    isReferenceOnly: { type: 'boolean' },
    address: TEXT,
    contacts: arrayOf(resultOf({ kind: TEXT, value: TEXT }, ['kind', 'value'])),
    roles: arrayOf(
      resultOf(
        { role: TEXT, roleName: TEXT, isPrimary: { type: 'boolean' }, status: oneOf(STATUSES) },
        ['role', 'isPrimary', 'status'],
      ),
    ),
    opened: TEXT,
    closed: TEXT,
    lastChanged: TEXT,
    resource: FHIR_ORGANIZATION,
  },
  [],
);
