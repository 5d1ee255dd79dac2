/**
 * The fields by which organisations are found. The prefix of a column names its arrays in editions
 * on disk. A new column needs no new format: when the program reads an edition that lacks its
 * arrays, it builds them. A column whose entries change needs a new prefix.
 */
import type { NamedArrays } from '../arrays.ts';
import { lastUpdatedMs, type OrganizationRecord } from '../record.ts';
import type { Columns, FieldOf } from './columns.ts';
import { dateColumn } from './date-column.ts';
import { spacedTextColumn, textColumn, valueColumn } from './string-columns.ts';
import { booleanColumn, CODE_COLUMN, codeColumns, columnCodes } from './token-columns.ts';

const ROLES = codeColumns('role', {
  primary: (record: OrganizationRecord) => roleCodes(record, true),
  other: (record: OrganizationRecord) => roleCodes(record, false),
});

export const ORGANIZATION_COLUMNS = {
  string: {
    name: textColumn('name', { textOf: ({ name }) => name, bytesMin: 3 }),
    postalCode: spacedTextColumn('postal-code', {
      textOf: ({ address }) => address?.postalCode,
      bytesMin: 2,
    }),
    city: valueColumn('city', { textOf: ({ address }) => address?.city, bytesMin: 2 }),
  },
  token: {
    code: CODE_COLUMN,
    active: booleanColumn('active', ({ isActive }) => isActive),
    role: ROLES.all,
    primaryRole: ROLES.of('primary'),
    /** The roles with other codes than the primary role. */
    otherRole: ROLES.of('other'),
  },
  date: {
    lastUpdated: dateColumn('changed', { startOf: lastUpdatedMs, durationMs: 1 }),
  },
} satisfies Columns<OrganizationRecord>;

export type OrganizationColumns = typeof ORGANIZATION_COLUMNS;

export type StringField = FieldOf<OrganizationColumns, 'string'>;
export type TokenField = FieldOf<OrganizationColumns, 'token'>;
export type DateField = FieldOf<OrganizationColumns, 'date'>;

/** The codes of all roles that an organisation of an edition has. */
export function indexedRoles(arrays: NamedArrays): string[] {
  return columnCodes('role', arrays);
}

function roleCodes({ roles }: OrganizationRecord, isPrimary: boolean): string[] {
  const primary = roles.find((role) => role.isPrimary)?.code;
  return roles.map(({ code }) => code).filter((code) => (code === primary) === isPrimary);
}
