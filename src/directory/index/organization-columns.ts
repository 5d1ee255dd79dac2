/**
 * The fields by which organisations are found. The prefix of a column names its arrays in editions
 * on disk. A new column needs no new format: when the program reads an edition that lacks its
 * arrays, it builds them. A column whose entries change needs a new prefix.
 */
import type { NamedArrays } from '../arrays.ts';
import {
  lastUpdatedMs,
  type OrganizationRecord,
  type RoleRecord,
  type SourceRecord,
} from '../record.ts';
import { listedCodes } from './code-lists.ts';
import type { Columns, FieldOf } from './columns.ts';
import { dateColumn } from './date-column.ts';
import { listedDates } from './listed-dates.ts';
import { postalCodeColumn } from './postal-code-column.ts';
import { relatedColumn } from './related-column.ts';
import { sortedDates, sortedTexts } from './sorted-rows.ts';
import { listedTextColumn, spacedTextColumn, textColumn, valueColumn } from './string-columns.ts';
import { booleanColumn, CODE_COLUMN, codeColumns } from './token-columns.ts';

/** The prefix of the arrays that `relatedRowsBuilder` builds for organisations. */
export const RELATED = 'related';

const ROLES = codeColumns('role', {
  primary: (record: OrganizationRecord) => roleCodes(record, true),
  other: (record: OrganizationRecord) => roleCodes(record, false),
});

const ACTIVE_ROLES = codeColumns('active-role', {
  primary: (record: OrganizationRecord) => activeRoleCodes(record, true),
  other: (record: OrganizationRecord) => activeRoleCodes(record, false),
});

const RECORD_CLASSES = codeColumns('record-class', {
  all: ({ recordClass }: OrganizationRecord) => (recordClass === undefined ? [] : [recordClass]),
});

export const ORGANIZATION_COLUMNS = {
  string: {
    name: textColumn('name', { textOf: ({ name }) => name, bytesMin: 3 }),
    postalCode: spacedTextColumn('postal-code', {
      textOf: ({ address }) => address?.postalCode,
      bytesMin: 2,
    }),
    city: valueColumn('city', { textOf: ({ address }) => address?.city, bytesMin: 2 }),
    country: listedTextColumn('country', ({ address }) => address?.country),
  },
  token: {
    code: CODE_COLUMN,
    active: booleanColumn('active', ({ isActive }) => isActive),
    role: ROLES.all,
    primaryRole: ROLES.of('primary'),
    /** The roles with other codes than the primary role. */
    otherRole: ROLES.of('other'),
    /** The roles that are active, whether the organisation is active or not. */
    activeRole: ACTIVE_ROLES.all,
    activePrimaryRole: ACTIVE_ROLES.of('primary'),
    activeOtherRole: ACTIVE_ROLES.of('other'),
    /** Codes without `RC`. */
    recordClass: RECORD_CLASSES.all,
    /** Whole postcodes and outward codes, as `compactPostalCode` writes them. */
    postalCode: postalCodeColumn(
      'outward-code',
      'postal-code',
      ({ address }) => address?.postalCode,
    ),
  },
  date: {
    lastUpdated: dateColumn('changed', { startOf: lastUpdatedMs, durationMs: 1 }),
  },
  reference: {},
  composite: {
    /** The types, targets and statuses of the relationships to others: see `hasRelationship`. */
    relationship: relatedColumn(RELATED),
  },
  sort: {
    name: sortedTexts('sorted-name', 'name', ({ name }) => name),
    lastUpdated: sortedDates<SourceRecord>('sorted-changed', 'changed', lastUpdatedMs),
  },
} satisfies Columns<SourceRecord>;

/**
 * The columns of an edition. `changedAt`: the instant of the edition in which the record of a row
 * changed last.
 */
export function editionColumns(changedAt: (row: number) => string) {
  return {
    ...ORGANIZATION_COLUMNS,
    date: { ...ORGANIZATION_COLUMNS.date, changed: listedDates(changedAt) },
  };
}

export type OrganizationColumns = ReturnType<typeof editionColumns>;

export type StringField = FieldOf<OrganizationColumns, 'string'>;
export type TokenField = FieldOf<OrganizationColumns, 'token'>;
export type DateField = FieldOf<OrganizationColumns, 'date'>;

/** The codes of all roles that an organisation of an edition has. */
export function indexedRoles(arrays: NamedArrays): string[] {
  return listedCodes('role', arrays);
}

function roleCodes(record: OrganizationRecord, isPrimary: boolean): string[] {
  return codesOf(record, record.roles, isPrimary);
}

function activeRoleCodes(record: OrganizationRecord, isPrimary: boolean): string[] {
  const active = record.roles.filter(({ isActive }) => isActive);
  return codesOf(record, active, isPrimary);
}

/** The codes of some of the roles of a record: the code of its primary role, or all others. */
function codesOf(
  { roles }: OrganizationRecord,
  wanted: readonly RoleRecord[],
  isPrimary: boolean,
): string[] {
  const primary = roles.find((role) => role.isPrimary)?.code;
  return wanted.map(({ code }) => code).filter((code) => (code === primary) === isPrimary);
}
