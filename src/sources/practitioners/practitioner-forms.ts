/**
 * The columns of each file of practitioners, and what its rows mean. No file has headings, so the
 * forms of the codes and dates tell whether the columns are where they should be.
 */
import type { PractitionersBuilder } from '../../directory/practitioners/build-practitioners.ts';
import { isPlaceholder } from '../../directory/practitioners/build-practitioners.ts';
import type {
  Membership,
  MembershipKind,
  NumberKind,
  PractitionerFile,
} from '../../directory/practitioners/practitioners.ts';
import { cleanText, quoted } from '../text/source-text.ts';
import { RowError } from './csv-rows.ts';

export interface PractitionerForm {
  /** How many cells a row has, in each form that the file has had. */
  readonly cells: readonly number[];
  /** The number of the column with the code that tells whose row it is, from 1. */
  readonly codeColumn: number;
  /** What that code looks like, and an example. */
  readonly code: RegExp;
  readonly example: string;
  /** Whether the file has one row for each code. */
  readonly hasUniqueCodes: boolean;
  /** Returns false if the code was in the file before, though it has unique codes. */
  readonly add: (builder: PractitionersBuilder, row: CsvRow) => boolean;
}

/** Reads the cells of a row by the numbers of their columns, from 1. */
export interface CsvRow {
  readonly code: string;
  text(column: number): string;
  /** `YYYY-MM-DD`, or undefined if the cell is empty. Throws a RowError. */
  day(column: number): string | undefined;
  /** The code of an organisation, or an empty text. Throws a RowError. */
  organisation(column: number): string;
}

/** Throws a RowError that names the column. */
export function rowOf(
  { codeColumn, code, example, cells }: PractitionerForm,
  row: readonly string[],
): CsvRow {
  if (!cells.includes(row.length)) {
    throw new RowError(`the row has ${row.length} cells instead of ${cells.join(' or ')}`);
  }
  const text = (column: number) => cleanText(row[column - 1]) ?? '';
  const own = text(codeColumn).toUpperCase();
  if (!code.test(own)) throw wrong(codeColumn, own, `a code such as ${example}`);
  return {
    code: own,
    text,
    day: (column) => dayOf(column, text(column)),
    organisation: (column) => {
      const found = text(column).toUpperCase();
      if (found === '' || ORGANISATION_CODE.test(found)) return found;
      throw wrong(column, found, 'the code of an organisation');
    },
  };
}

const ORGANISATION_CODE = /^[A-Z0-9]{2,12}$/;

function dayOf(column: number, text: string): string | undefined {
  if (text === '') return undefined;
  const [, year = '', month = '', day = ''] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  const found = `${year}-${month}-${day}`;
  const date = new Date(`${found}T00:00:00Z`);
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(found);
  if (!isDay) throw wrong(column, text, 'a date such as 20260401');
  return found;
}

function wrong(column: number, text: string, what: string): RowError {
  return new RowError(`column ${column} has ${quoted(text)} instead of ${what}`);
}

/** Undefined if the row names no organisation. The columns of the organisation and of two dates. */
function membershipOf(
  row: CsvRow,
  kind: MembershipKind,
  [at, from, to]: readonly [at: number, from?: number, to?: number],
): Membership | undefined {
  const organisation = row.organisation(at);
  if (organisation === '') return undefined;
  const start = from === undefined ? undefined : row.day(from);
  const end = to === undefined ? undefined : row.day(to);
  return {
    kind,
    organisation,
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
  };
}

interface StandardKind {
  readonly type: string;
  readonly number: NumberKind;
  readonly membership: MembershipKind;
  /** The role of a row, by its sub-type in column 14. */
  readonly roleOf: (subtype: string) => string | undefined;
}

const GP_ROLES: Readonly<Record<string, string>> = { P: 'PGP1', O: 'PGP2' };

/** The layout of 27 columns. */
function standard(
  code: RegExp,
  example: string,
  { type, number, membership, roleOf }: StandardKind,
): PractitionerForm {
  return {
    cells: [27],
    codeColumn: 1,
    code,
    example,
    hasUniqueCodes: true,
    add: (builder, row) => {
      row.day(11);
      const closed = row.day(12);
      const status = row.text(13).toUpperCase();
      const role = roleOf(row.text(14).toUpperCase());
      return builder.add(
        {
          code: row.code,
          name: row.text(2),
          type,
          roles: role === undefined ? [] : [role],
          isActive: status === '' ? closed === undefined : /^A(CTIVE)?$/.test(status),
          numbers: [{ kind: number, value: row.code }],
          membership: membershipOf(row, membership, [15, 16, 17]),
        },
        true,
      );
    },
  };
}

/** One row for each membership. Old files have the initials in another column. */
function consultants(
  code: RegExp,
  example: string,
  type: string,
  [own, register]: readonly [own: NumberKind, register: NumberKind],
  membership: MembershipKind,
): PractitionerForm {
  return {
    cells: [13, 8],
    codeColumn: 2,
    code,
    example,
    hasUniqueCodes: false,
    add: (builder, row) => {
      const number = row.text(1);
      if (!/^\d{1,8}$/.test(number)) throw wrong(1, number, 'a number of the register');
      const specialties = row.text(6).split('|');
      return builder.add(
        {
          code: row.code,
          name: [row.text(3), row.text(4)].filter((part) => part !== '').join(' '),
          type,
          roles: specialties.filter((each) => each !== '').map((each) => type + each.trim()),
          isActive: true,
          numbers: [
            { kind: own, value: row.code },
            { kind: register, value: number },
          ],
          membership: membershipOf(row, membership, [8]),
        },
        false,
      );
    },
  };
}

const NURSES: PractitionerForm = {
  cells: [20],
  codeColumn: 3,
  code: /^\d\d[A-Z]\d{4}[A-Z]$/,
  example: '01A2345E',
  hasUniqueCodes: false,
  add: (builder, row) => {
    const type = row.text(1).toUpperCase();
    if (!/^(PN|CN|1|2)$/.test(type)) throw wrong(1, type, 'PN, CN, 1 or 2');
    const closed = row.day(5);
    const name = [row.text(8), row.text(7)].filter((part) => part !== '').join(' ');
    return builder.add(
      {
        code: row.code,
        name: name === '' ? row.text(18) : name,
        type: 'PNURSE',
        roles: [`PNURSE${type}`],
        isActive: closed === undefined,
        numbers: [{ kind: 5, value: row.code }],
        membership: membershipOf(row, 'ME5', [2, 4, 5]),
      },
      false,
    );
  },
};

const MEMBERSHIPS: PractitionerForm = {
  cells: [6],
  codeColumn: 1,
  code: /^G\d{7}$/,
  example: 'G1234567',
  hasUniqueCodes: false,
  add: (builder, row) => {
    const parent = row.text(3).toUpperCase();
    if (parent !== 'P') throw wrong(3, parent, 'the type of parent P');
    const membership = membershipOf(row, 'ME1', [2, 4, 5]);
    if (membership !== undefined) builder.addMembership(row.code, membership);
    return true;
  },
};

const REGISTERED: PractitionerForm = {
  cells: [5],
  codeColumn: 4,
  code: /^G\d{7}$/,
  example: 'G1234567',
  hasUniqueCodes: false,
  add: (builder, row) => {
    const gmc = row.text(1);
    if (!/^\d{7}$/.test(gmc)) throw wrong(1, gmc, 'a GMC number of 7 digits');
    row.day(5);
    const name = [row.text(2), row.text(3)].filter((part) => part !== '').join(' ');
    builder.addRegistered(row.code, { gmc, name });
    return true;
  },
};

export const PRACTITIONER_FORMS: Readonly<Record<PractitionerFile, PractitionerForm>> = {
  egpcur: standard(/^G\d{7}$/, 'G1234567', {
    type: 'PGP',
    number: 1,
    membership: 'ME1',
    roleOf: (subtype) => GP_ROLES[subtype],
  }),
  epracmem: MEMBERSHIPS,
  egmcmem: REGISTERED,
  econcur: consultants(/^C\d{7}$/, 'C1234567', 'PHOSPCON', [3, 6], 'ME3'),
  edconcur: consultants(/^CD\d{6}$/, 'CD012345', 'PDENTCON', [4, 7], 'ME4'),
  enurse: NURSES,
  epcdp: standard(/^Q\d{7}$/, 'Q1234567', {
    type: 'PPCDP',
    number: 2,
    membership: 'ME2',
    roleOf: (subtype) => (/^[1-7]$/.test(subtype) ? `PPCDP${subtype}` : undefined),
  }),
  ngpcur: standard(/^[A-Z]{0,2}\d{3,8}$/, 'Z1234', {
    type: 'PGP',
    number: 8,
    membership: 'ME1',
    roleOf: (subtype) => GP_ROLES[subtype],
  }),
};

/** Adds a row of the file. `placeholder`: its code stands for no person. Throws a RowError. */
export function addRow(
  form: PractitionerForm,
  builder: PractitionersBuilder,
  cells: readonly string[],
): 'added' | 'placeholder' {
  const row = rowOf(form, cells);
  if (isPlaceholder(row.code)) return 'placeholder';
  if (form.add(builder, row)) return 'added';
  throw new RowError(`the code ${row.code} is in the file a second time`);
}
