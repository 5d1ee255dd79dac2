/**
 * The index of the organisations of an edition, and the fields by which they are found. Its rows are
 * in the order of the codes. The prefix of a column names its arrays in editions on disk. A new column
 * needs no new format: when the program reads an edition that lacks its arrays, it builds them. A
 * column whose entries change needs a new prefix.
 */

import type { Query } from '../../fhir/search/criterion.ts';
import { fold, withoutSpaces } from '../../fhir/search/string.ts';
import type { TokenCriterion } from '../../fhir/search/token.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import type { TextList } from '../arrays/text-list.ts';
import type { Postcodes } from '../places/postcodes.ts';
import type { IndexedRecord } from '../record/indexed-record.ts';
import { hasPostalSpace } from '../record/postal-code.ts';
import { lastUpdatedMs } from '../record/record.ts';
import { openCodeTable } from './columns/code-table.ts';
import type { Columns, CriterionOf, FieldOf, SortKeyOf } from './columns/columns.ts';
import { dateColumn, listedDates } from './columns/date-column.ts';
import { postalCodeColumn } from './columns/postal-code-column.ts';
import { relatedColumn } from './columns/related-column.ts';
import { sortedDates, sortedTexts } from './columns/sort-columns.ts';
import {
  anyOfColumns,
  compactTextColumn,
  listedTextColumn,
  spacedTextColumn,
  textColumn,
  valueColumn,
} from './columns/string-columns.ts';
import {
  booleanColumn,
  CODE_COLUMN,
  CODE_PREFIX,
  codeColumns,
  listedCodes,
} from './columns/token-columns.ts';
import { type Grid, openGrid } from './positions/grid.ts';
import { openIndex, type SearchIndex } from './search-index.ts';
import { countValues, openValueIndex } from './texts/text-index.ts';

export interface OrganizationIndex extends SearchIndex<OrganizationColumns> {
  /** The row of exactly this code. */
  rowOf(code: string): number | undefined;
  codeOf(row: number): string;
  /** All codes, by row, for callers that copy bytes. */
  readonly codes: TextList;
  /** How many rows have each city, by its folded text, most first. Counts them each time. */
  cityCounts(): [folded: string, count: number][];
}

/**
 * `changedAt`: the instant of the edition in which the record of a row changed last. Without `postcodes`,
 * records have no positions.
 */
export function openOrganizationIndex(
  arrays: NamedArrays,
  changedAt: (row: number) => string = findUnknown,
  postcodes?: Postcodes,
): OrganizationIndex {
  const { texts, rowOf, codeOf } = openCodeTable(CODE_PREFIX, arrays);
  let grid: Grid | undefined;
  const gridOf = postcodes && (() => (grid ??= openGrid(arrays, postcodes)));
  return {
    ...openIndex(editionColumns(changedAt), arrays, texts.starts.length - 1, gridOf),
    rowOf,
    codeOf,
    codes: texts,
    cityCounts: () => countValues(openValueIndex('city', arrays)),
  };
}

function findUnknown(): never {
  throw new Error('This index does not know when records changed.');
}

/** The prefix of the arrays that `relatedRowsBuilder` builds for organisations. */
export const RELATED = 'related';

type Role = IndexedRecord['roles'][number];

const ALL = () => true;
const ACTIVE = ({ isActive }: Role) => isActive;

const ROLES_PREFIX = 'roles';
const ROLES = roleColumns(ROLES_PREFIX, ALL);
const ACTIVE_ROLES = roleColumns('active-roles', ACTIVE);

const RECORD_CLASSES = codeColumns('record-class', {
  all: ({ recordClass }: IndexedRecord) => (recordClass === undefined ? [] : [recordClass]),
});

const POSTAL_CODE_PREFIX = 'postal-code';
const postalCodeOf = ({ address }: IndexedRecord) => address?.postalCode;

const ADDRESS_PARTS = {
  postalCode: spacedTextColumn(POSTAL_CODE_PREFIX, { textOf: postalCodeOf, bytesMin: 2 }),
  city: valueColumn('city', {
    textOf: ({ address }: IndexedRecord) => address?.city,
    bytesMin: 2,
  }),
  country: listedTextColumn('country', ({ address }: IndexedRecord) => address?.country),
};

export const ORGANIZATION_COLUMNS = {
  string: {
    name: textColumn('name', { textOf: ({ name }) => name, bytesMin: 3 }),
    ...ADDRESS_PARTS,
    /** The parts that have a column. The lines and the county would need one of the size of `name`. */
    address: anyOfColumns(Object.values(ADDRESS_PARTS)),
    /** As `compactPostalCode` writes it. */
    compactPostalCode: compactTextColumn(POSTAL_CODE_PREFIX, postalCodeOf),
  },
  token: {
    code: CODE_COLUMN,
    active: booleanColumn('active', ({ isActive }) => isActive),
    role: { ...ROLES.of('primary', 'other'), build: ROLES.build },
    primaryRole: ROLES.of('primary'),
    /** The roles beside the primary role. */
    otherRole: ROLES.of('other', 'again'),
    /** The roles that are active, whether the organisation is active or not. */
    activeRole: { ...ACTIVE_ROLES.of('primary', 'other'), build: ACTIVE_ROLES.build },
    activePrimaryRole: ACTIVE_ROLES.of('primary'),
    activeOtherRole: ACTIVE_ROLES.of('other', 'again'),
    /** Codes without `RC`. */
    recordClass: { ...RECORD_CLASSES.of('all'), build: RECORD_CLASSES.build },
    /** Whole postcodes and outward codes, as `compactPostalCode` writes them. */
    postalCode: postalCodeColumn('outward-code', POSTAL_CODE_PREFIX, postalCodeOf),
  },
  date: {
    lastUpdated: dateColumn<IndexedRecord>('changed', lastUpdatedMs),
  },
  reference: {},
  composite: {
    /** The types, targets and statuses of the relationships to others: see `hasRelationship`. */
    relationship: relatedColumn(RELATED),
  },
  sort: {
    name: sortedTexts('sorted-name', 'name', ({ name }) => name),
    lastUpdated: sortedDates<IndexedRecord>('sorted-changed', 'changed', lastUpdatedMs),
  },
} satisfies Columns<IndexedRecord>;

const NO_COLUMNS = { string: {}, token: {}, date: {}, reference: {}, composite: {}, sort: {} };
const { name, ...placeStrings } = ORGANIZATION_COLUMNS.string;
const { code, postalCode, ...otherTokens } = ORGANIZATION_COLUMNS.token;
const { name: sortedName, ...otherSorts } = ORGANIZATION_COLUMNS.sort;

export interface ColumnPart {
  readonly columns: Columns<IndexedRecord>;
  /** All that the columns read of a record. */
  readonly valuesOf: (record: IndexedRecord) => readonly unknown[];
}

/** The same columns in parts, which take about the same time to build. */
export const ORGANIZATION_COLUMN_PARTS = {
  codes: { columns: { ...NO_COLUMNS, token: { code } }, valuesOf: ({ code: one }) => [one] },
  names: {
    columns: { ...NO_COLUMNS, string: { name }, sort: { name: sortedName } },
    valuesOf: ({ name: one }) => [one],
  },
  places: {
    columns: { ...NO_COLUMNS, string: placeStrings, token: { postalCode } },
    valuesOf: ({ address }) => [address?.postalCode, address?.city, address?.country],
  },
  others: {
    columns: { ...ORGANIZATION_COLUMNS, string: {}, token: otherTokens, sort: otherSorts },
    valuesOf: ({ isActive, lastUpdated, recordClass, roles }) => [
      isActive,
      lastUpdated,
      recordClass,
      roles,
    ],
  },
} satisfies Readonly<Record<string, ColumnPart>>;

/**
 * The columns of an edition. `changedAt`: the instant of the edition in which the record of a row
 * changed last.
 */
function editionColumns(changedAt: (row: number) => string) {
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
  return listedCodes(ROLES_PREFIX, arrays);
}

/**
 * The roles in three lists: those with the code of the primary role, all others, and the roles
 * beside the primary role that have its code again.
 */
function roleColumns(prefix: string, isWanted: (role: Role) => boolean) {
  const codesOf = (isListed: (role: Role, primary: string | undefined) => boolean) => {
    return ({ roles }: IndexedRecord) => {
      const primary = roles.find((role) => role.isPrimary)?.code;
      const codes: string[] = [];
      for (const role of roles) {
        if (isWanted(role) && isListed(role, primary)) codes.push(role.code);
      }
      return codes;
    };
  };
  return codeColumns(prefix, {
    primary: codesOf(({ code: one }, primary) => one === primary),
    other: codesOf(({ code: one }, primary) => one !== primary),
    again: codesOf(({ code: one, isPrimary }, primary) => !isPrimary && one === primary),
  });
}

export type DirectoryCriterion = CriterionOf<OrganizationColumns>;

/** The records with one of these codes. */
export function tokenCriterion(
  field: TokenField,
  codes: readonly string[],
): TokenCriterion<TokenField> {
  return { type: 'token', field, values: codes.map((code) => ({ code })) };
}

/**
 * The records whose postcode begins with the text, as it is written or without its spaces: `LS1`
 * finds LS1 and LS10, `SE17` finds SE17 and `SE1 7`, and `SE1 7` only the latter. A space matters
 * only after an outward code: `LS1` with a space does not find LS10.
 */
export function postalCodeBeginning(text: string): DirectoryCriterion {
  const folded = fold(text).trimStart();
  return hasPostalSpace(folded)
    ? { type: 'string', field: 'postalCode', match: 'startsWith', values: [folded] }
    : {
        type: 'string',
        field: 'compactPostalCode',
        match: 'startsWith',
        values: [withoutSpaces(folded)],
      };
}

export type DirectoryQuery = Query<DirectoryCriterion>;

/** A key of the order of results: the name, the last change, or the row, which is the order of codes. */
export type DirectorySortKey = SortKeyOf<OrganizationColumns>;
