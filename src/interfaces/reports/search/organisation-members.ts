/** The members of an organisation in the answers of all searches. */
import { geographyOf } from '../../../directory/ask/geography.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import { relationshipsOf } from '../../../directory/edition/source-record.ts';
import type { AreaKind } from '../../../directory/places/areas.ts';
import type { FoundPostcode } from '../../../directory/places/postcodes.ts';
import {
  DEFAULT_AUTHORITY,
  dateText,
  prefixedId,
  statusText,
} from '../../../directory/record/ids.ts';
import type { OrganizationRecord, RoleRecord } from '../../../directory/record/record.ts';
import {
  addressCells,
  firstPeriod,
  primaryRoleId,
  primaryRoleOf,
  recordClassId,
  telecomOf,
} from '../../../directory/record/record-facts.ts';
import { heldRoles } from '../csv/facts.ts';
import { type Member, objectText, periodMembers } from './member.ts';
import { RELATIONSHIP_MEMBERS, type Related, relatedOf } from './relationship-members.ts';
import type { SearchView } from './view.ts';

/** What the members of an organisation are made from. */
interface Organisation extends Related, OrganizationRecord {
  readonly isReferenceOnly: boolean;
  /** Besides the primary one: those in force, or all if none is. */
  readonly furtherRoles: readonly RoleRecord[];
  /** The areas of its postcode; empty if no postcodes were imported. */
  readonly areas: FoundPostcode['areas'];
}

const AREA_MEMBERS: readonly (readonly [string, AreaKind, 'code' | 'name', string])[] = [
  ['LSOA11', 'lsoa11', 'code', 'lower layer super output area of 2011'],
  ['LA', 'localAuthority', 'code', 'local authority'],
  ['LAName', 'localAuthority', 'name', 'local authority'],
  ['GOR', 'region', 'code', 'region'],
  ['GORName', 'region', 'name', 'region'],
];

const RECORD_MEMBERS: readonly Member<Organisation>[] = [
  ['id', 'text', 'The code.', ({ code }) => code],
  ['name', 'text', 'The name.', ({ name }) => name],
  ['inactive', 'boolean', 'Whether it is closed.', ({ isActive }) => !isActive],
  ['country', 'text', 'The country of the address.', ({ address }) => address?.country],
  [
    'role',
    'list of texts',
    'The codes of the roles besides the primary one, such as `RO76`: those in force, or all if none is.',
    ({ furtherRoles }) => furtherRoles.map(({ code }) => prefixedId('RO', code)),
  ],
  [
    'roleName',
    'list of texts',
    'The names of these roles, in the same order. Left out if there is none.',
    ({ furtherRoles, view }) =>
      furtherRoles.length === 0
        ? undefined
        : furtherRoles.map(({ code }) => view.roleName(code) ?? null),
  ],
  [
    'nonPrimaryRoleOpStartDates',
    'list of dates',
    'The operational starts of these roles, in the same order.',
    ({ furtherRoles }) =>
      furtherRoles.map(({ periods }) => firstPeriod(periods, 'Operational')?.start ?? null),
  ],
  ['primaryRole', 'text', 'The code of the primary role.', primaryRoleId],
  [
    'primaryRoleName',
    'text',
    'The name of the primary role.',
    (record) => record.view.roleName(primaryRoleOf(record)?.code),
  ],
  ...periodMembers('organisation', (organisation: Organisation) => organisation),
  [
    'assigningAuth',
    'text',
    'The authority that assigned the code.',
    ({ authority = DEFAULT_AUTHORITY }) => authority,
  ],
  ['orgRecordClass', 'text', '`RC1` for an organisation, `RC2` for a site.', recordClassId],
  [
    'refOnly',
    'boolean',
    'Whether the release has it only because others refer to it. Searches do not find it.',
    ({ isReferenceOnly }) => isReferenceOnly,
  ],
  ['status', 'text', '`Active` or `Inactive`.', ({ isActive }) => statusText(isActive)],
  ...['address1', 'address2', 'address3'].map(
    (name, at): Member<Organisation> => [
      name,
      'text',
      `Line ${at + 1} of the address.`,
      (record) => addressCells(record)[at] || undefined,
    ],
  ),
  ['town', 'text', 'The town.', ({ address }) => address?.city],
  ['postcode', 'text', 'The postcode.', ({ address }) => address?.postalCode],
  ['telephone', 'text', 'The first telephone number.', (record) => telecomOf(record, 'phone')],
  ['lastChangeDate', 'date', 'The last change.', ({ lastUpdated }) => dateText(lastUpdated)],
  [
    'uprn',
    'text',
    'The unique property reference number of the address.',
    ({ address }) => address?.uprn,
  ],
  ...AREA_MEMBERS.map(
    ([name, kind, part, what]): Member<Organisation> => [
      name,
      'text',
      `The ${part} of the ${what} of the postcode, if postcodes were imported.`,
      ({ areas }) => areas[kind]?.[part],
    ],
  ),
];

export const ORGANISATION_MEMBERS: readonly Member<Organisation>[] = [
  ...RECORD_MEMBERS,
  ...RELATIONSHIP_MEMBERS,
];

/**
 * The JSON text of the organisation with the row, which is numbered as in `links`. If the edition
 * does not know relationships, no member says that there are none.
 */
export function organisationText(view: SearchView, row: number): string {
  const { edition, day } = view;
  const record = recordAt(edition, row);
  const geography = geographyOf(edition, row, record, day);
  return objectText(edition.hasLinks ? ORGANISATION_MEMBERS : RECORD_MEMBERS, {
    ...record,
    ...relatedOf(view, relationshipsOf(edition, row), geography),
    isReferenceOnly: row >= edition.rows.count,
    furtherRoles: heldRoles(record, day),
    areas: geography.areas,
  });
}

/** The primary role first, then the others that are in force, or all others if none is. */
export function listedRoles(record: OrganizationRecord, day: string): readonly RoleRecord[] {
  return [...record.roles.filter(({ isPrimary }) => isPrimary), ...heldRoles(record, day)];
}
