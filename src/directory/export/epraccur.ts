/**
 * GP practices and other prescribing cost centres in the 27 columns of the former national report
 * `epraccur`, without a header line.
 */

import type { DirectoryCriterion } from '../query.ts';
import type { PeriodRecord, RoleRecord } from '../record/record.ts';
import { relationshipsOf } from '../record/source-record.ts';
import { inTime, latestOn } from '../time/in-force.ts';
import { quotedCsvLine } from './csv-line.ts';
import type { MakeExportFormat } from './export-matches.ts';
import { createFindGeography } from './relation-columns.ts';

/** Writes all rows that it gets; the report has those that match `EPRACCUR_CRITERIA`. */
export const epraccurFormat: MakeExportFormat = ({ edition }, _baseUrl, day) => {
  const findGeography = createFindGeography(edition, day);
  const cellsOf = (row: number): string[] => {
    const record = edition.rows.recordAt(row);
    const relationships = relationshipsOf(edition, row);
    const { region = '', board = '' } = findGeography(relationships);
    const commissioned = relationships.filter(({ type }) => type === COMMISSIONED);
    const [latest] = latestOn(commissioned, day);
    const commissioner = latest?.target.code ?? '';
    const joined = latest && inTime(latest, day).period;
    const { lines = [], city = '', district = '', postalCode = '' } = record.address ?? {};
    const opened = operational(record.periods);
    return [
      ...[record.code, record.name ?? '', region, board],
      ...addressLines(lines, city, district),
      postalCode,
      ...[dateOf(opened?.start), dateOf(opened?.end)],
      record.isActive ? 'A' : 'C',
      commissioner === '' ? NOT_ALLOCATED : ALLOCATED,
      ...[commissioner, dateOf(joined?.start), dateOf(joined?.end)],
      record.telecoms.find(({ system }) => system === 'phone')?.value ?? '',
      ...['', '', ''],
      NOT_AMENDED,
      '',
      commissioner,
      '',
      settingOf(record.roles, day),
      '',
    ];
  };
  return { row: (row, writer) => writer.text(quotedCsvLine(cellsOf(row))) };
};

/** The main role is prescribing cost centre. */
export const EPRACCUR_CRITERIA: readonly DirectoryCriterion[] = [
  { type: 'token', field: 'primaryRole', values: [{ code: '177' }] },
];

/** Commissioned by. */
const COMMISSIONED = '4';

/** Whether the organisation is allocated to a commissioner. */
const ALLOCATED = 'B';
const NOT_ALLOCATED = 'Z';

/** The source does not say what changed in a quarter. */
const NOT_AMENDED = '0';

/** Three lines, town and county. A record has at most three lines; more go into the third. */
function addressLines(lines: readonly string[], city: string, district: string): string[] {
  const [first = '', second = '', ...others] = lines;
  return [first, second, others.join(', '), city, district];
}

function operational(periods: readonly PeriodRecord[]): PeriodRecord | undefined {
  return periods.find(({ kind }) => kind === 'Operational') ?? periods[0];
}

/** `YYYYMMDD` */
function dateOf(date = ''): string {
  return date.slice(0, 10).replaceAll('-', '');
}

/** The prescribing setting, by the codes of roles. The first role that the practice has decides. */
const SETTINGS: readonly (readonly [role: string, setting: string])[] = [
  ['76', '4'],
  ['255', '8'],
  ['247', '9'],
  ['250', '10'],
  ['252', '11'],
  ['259', '12'],
  ['249', '13'],
  ['246', '14'],
  ['260', '16'],
  ['257', '17'],
  ['256', '18'],
  ['251', '19'],
  ['235', '20'],
  ['234', '21'],
  ['258', '22'],
  ['82', '25'],
];

const WALK_IN = '87';
const OUT_OF_HOURS = '80';

function settingOf(roles: readonly RoleRecord[], day: string): string {
  const active = roles.filter((role) => inTime(role, day).phase === 'now');
  const codes = new Set((active.length > 1 ? active : roles).map(({ code }) => code));
  const known = SETTINGS.find(([role]) => codes.has(role));
  if (known !== undefined) return known[1];
  if (codes.has(WALK_IN)) return codes.has(OUT_OF_HOURS) ? '3' : '1';
  return codes.has(OUT_OF_HOURS) ? '2' : '0';
}
