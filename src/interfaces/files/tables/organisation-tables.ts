/** The tables of organisations and of their roles. */

import type { Level } from '../../../directory/ask/answers.ts';
import { belongsTo, type LevelName, levelNamed } from '../../../directory/ask/belongs-to.ts';
import { type PlaceCells, placeCells } from '../../../directory/ask/place-of.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import { displaysOf } from '../../../directory/record/concepts.ts';
import { dateText, prefixedId } from '../../../directory/record/ids.ts';
import { dayOf } from '../../../directory/record/in-force.ts';
import type {
  OrganizationRecord,
  RoleRecord,
  TelecomRecord,
} from '../../../directory/record/record.ts';
import {
  addressCells,
  primaryRoleOf,
  recordClassId,
  telecomOf,
} from '../../../directory/record/record-facts.ts';
import { type ColumnOf, defineTable, idColumn, periodColumns, statusColumn } from './table.ts';

interface Organisation extends OrganizationRecord {
  readonly isReferenceOnly: boolean;
  readonly primaryRole: string | undefined;
  readonly roleName: string | undefined;
  readonly className: string | undefined;
  readonly levels: readonly Level[];
  readonly place: PlaceCells;
}

export const organisationTable = defineTable<Organisation>({
  name: 'organisation',
  description: 'Every record, including those of closed organisations and reference-only records.',
  primaryKey: ['code'],
  indexes: ['name', 'primary_role', 'postcode'],
  columns: [
    ['code', 'string!', 'The organisation code.', ({ code }) => code],
    ['name', 'string', 'The name.', ({ name }) => name],
    statusColumn<Organisation>(),
    [
      'primary_role',
      'string',
      'The primary role: `RO177`.',
      ({ primaryRole }) => prefixedId('RO', primaryRole),
    ],
    ['primary_role_name', 'string', 'The name of this role.', ({ roleName }) => roleName],
    ['record_class', 'string', '`RC1`, or `RC2` for a site.', recordClassId],
    ['record_class_name', 'string', 'The name of this class.', ({ className }) => className],
    ['address_line_1', 'string', 'First line of the address.', (each) => lineOf(each, 1)],
    ['address_line_2', 'string', 'Second line.', (each) => lineOf(each, 2)],
    [
      'address_line_3',
      'string',
      'Third line. If the record has more lines, they follow after commas.',
      (each) => lineOf(each, 3),
    ],
    ['town', 'string', 'The town.', ({ address }) => address?.city],
    ['county', 'string', 'The county.', ({ address }) => address?.district],
    ['postcode', 'string', 'The postcode.', ({ address }) => address?.postalCode],
    ['country', 'string', 'The country.', ({ address }) => address?.country],
    ['uprn', 'string', 'Unique property reference number.', ({ address }) => address?.uprn],
    telecomColumn('phone', 'The first telephone number.'),
    telecomColumn('fax', 'The first fax number.'),
    telecomColumn('email', 'The first email address.'),
    telecomColumn('url', 'The first web address.'),
    ['last_changed', 'date!', 'Day of the last change.', (each) => dateText(each.lastUpdated)],
    ...periodColumns<Organisation>(({ periods }) => periods),
    [
      'reference_only',
      'boolean!',
      'Whether the source has the record only because others refer to it.',
      ({ isReferenceOnly }) => isReferenceOnly,
    ],
    ['authority', 'string', 'Who assigned the code: `HSCIC`.', ({ authority }) => authority],
    levelColumn('operator', 'operator', 'what operates it'),
    levelColumn('network', 'network', 'its primary care network'),
    levelColumn('sub_icb', 'subIcb', 'its part of an integrated care board'),
    levelColumn('icb', 'icb', 'its integrated care board'),
    levelColumn('region', 'region', 'its region'),
    [
      'latitude',
      'number',
      'Degrees north (WGS 84) of the postcode, if postcodes were imported.',
      ({ place }) => place.latitude,
    ],
    ['longitude', 'number', 'Degrees east, likewise.', ({ place }) => place.longitude],
    [
      'easting',
      'integer',
      'Metres east on the National Grid of Great Britain, likewise.',
      ({ place }) => place.easting,
    ],
    ['northing', 'integer', 'Metres north, likewise.', ({ place }) => place.northing],
  ],
  items: function* ({ edition, rows }) {
    const roles = displaysOf(edition.codeSystems.roles);
    const classes = displaysOf(edition.codeSystems.recordClasses);
    const day = dayOf(new Date(edition.publishedAt));
    for (const row of rows) {
      const record = recordAt(edition, row);
      const primaryRole = primaryRoleOf(record)?.code;
      yield {
        ...record,
        isReferenceOnly: row >= edition.rows.count,
        primaryRole,
        roleName: roles.get(primaryRole ?? ''),
        className: classes.get(record.recordClass ?? ''),
        levels: belongsTo(edition, row, day),
        place: placeCells(edition, record),
      };
    }
  },
});

interface Role extends RoleRecord {
  readonly organisation: string;
  readonly name: string | undefined;
}

export const roleTable = defineTable<Role>({
  name: 'role',
  description: 'The roles of each organisation, including the primary one and former ones.',
  primaryKey: [],
  organisationColumn: 'organisation',
  indexes: ['organisation', 'role'],
  columns: [
    ['organisation', 'string!', 'Code of the organisation.', ({ organisation }) => organisation],
    ['role', 'string!', 'The role: `RO177`.', ({ code }) => prefixedId('RO', code)],
    ['name', 'string', 'The name of the role.', ({ name }) => name],
    ['is_primary', 'boolean!', 'Whether it is the primary role.', ({ isPrimary }) => isPrimary],
    statusColumn<Role>(),
    ...periodColumns<Role>(({ periods }) => periods),
    idColumn<Role>(),
  ],
  items: function* ({ edition, rows }) {
    const names = displaysOf(edition.codeSystems.roles);
    for (const row of rows) {
      const { code: organisation, roles } = recordAt(edition, row);
      for (const each of roles) yield { ...each, organisation, name: names.get(each.code) };
    }
  },
});

function lineOf(organisation: Organisation, line: number): string | undefined {
  return addressCells(organisation)[line - 1] || undefined;
}

function levelColumn(name: string, level: LevelName, what: string): ColumnOf<Organisation> {
  const description = `Code of ${what} on the day when the edition was published here.`;
  return [name, 'string', description, ({ levels }) => levelNamed(levels, level)?.code];
}

function telecomColumn(
  system: TelecomRecord['system'],
  description: string,
): ColumnOf<Organisation> {
  return [system, 'string', description, (organisation) => telecomOf(organisation, system)];
}
