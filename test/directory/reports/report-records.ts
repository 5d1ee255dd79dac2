/** An edition with a record for each report, in which every column has a value. */
import type { Edition } from '../../../src/directory/edition/edition.ts';
import type {
  CodeSystems,
  OrganizationRecord,
  PeriodRecord,
  SourceRecord,
} from '../../../src/directory/record/record.ts';
import { reportNamed } from '../../../src/interfaces/reports/csv/report-table.ts';
import {
  type ReportOptions,
  reportPieces,
} from '../../../src/interfaces/reports/csv/write-report.ts';
import { RELATED_CODE_SYSTEMS, relationship } from '../../web/related-records.ts';
import { editionOf } from '../directory-server.ts';
import { organization, role } from '../records.ts';

export const REPORT_CODE_SYSTEMS: CodeSystems = {
  ...RELATED_CODE_SYSTEMS,
  roles: [
    ...RELATED_CODE_SYSTEMS.roles,
    { code: '101', display: 'SOCIAL CARE SITE' },
    { code: '104', display: 'SOCIAL CARE PROVIDER' },
    { code: '137', display: 'ISLE OF MAN GOVERNMENT DIRECTORATE' },
    { code: '138', display: 'ISLE OF MAN GOVERNMENT DEPARTMENT' },
    { code: '269', display: 'CARE HOME' },
  ],
};

const PARTS: Partial<OrganizationRecord> = {
  name: 'THE "FULL" ONE',
  address: {
    lines: ['FIRST', 'SECOND', 'THIRD'],
    city: 'LEEDS',
    district: 'WEST YORKSHIRE',
    postalCode: 'LS1 1AA',
  },
  // Both ends are announced.
  periods: [
    { kind: 'Operational', start: '2001-04-01', end: '2030-03-31' },
    { kind: 'Legal', start: '2000-01-01', end: '2031-03-31' },
  ],
  telecoms: [{ system: 'phone', value: '0113 000000' }],
};

/** An organisation that is operated by OP1 and commissioned by SUB1. It is a GP practice besides. */
export function fullRecord(code: string, primary: string, other?: string): SourceRecord {
  const others = ['76', ...(other === undefined ? [] : [other])];
  return {
    ...organization(code, {
      ...PARTS,
      roles: [role(primary, { isPrimary: true }), ...others.map((each) => role(each))],
    }),
    relationships: [
      since('4', 'SUB1', '319', '2020-04-01', '2028-12-31'),
      since('6', 'OP1', '181', '2021-04-01', '2029-12-31'),
    ],
  };
}

/** What the records belong to: an operator, and a part of the board QB1 in the region Y61. */
export const SURROUNDINGS: readonly SourceRecord[] = [
  organization('OP1', { name: 'OPERATOR', roles: primary('999') }),
  {
    ...organization('QB1', { roles: primary('999') }),
    relationships: [since('5', 'Y61', '209', '2020-04-01')],
  },
  {
    ...organization('SUB1', { name: 'SUB 1', roles: primary('999') }),
    relationships: [since('5', 'QB1', '318', '2020-04-01')],
  },
];

export function primary(code: string) {
  return [role(code, { isPrimary: true })];
}

/** A relationship with operational dates. */
export function since(type: string, code: string, targetRole: string, start: string, end?: string) {
  const period: PeriodRecord = { kind: 'Operational', start, ...(end !== undefined && { end }) };
  return relationship(type, code, targetRole, { periods: [period] });
}

export function reportEdition(records: readonly SourceRecord[]): Edition {
  const sorted = records.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  return editionOf(sorted, 1, REPORT_CODE_SYSTEMS);
}

export const TODAY = '2026-11-24';

/** The cells of each line. */
export function cellsOf(
  edition: Edition,
  name: string,
  options: Partial<ReportOptions> = {},
): string[][] {
  const content = reportNamed(name)?.content;
  if (content === undefined) throw new Error(`the release has no report ${name}`);
  const all = { dialect: 'present', today: TODAY, ...options } as const;
  const text = Buffer.concat([...reportPieces(edition, content, all)]).toString();
  return cellsIn(text);
}

/** The cells of a report: every cell is in quotation marks, every line ends with CRLF. */
export function cellsIn(csv: string): string[][] {
  return csv
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      line
        .slice(1, -1)
        .split('","')
        .map((cell) => cell.replaceAll('""', '"')),
    );
}
