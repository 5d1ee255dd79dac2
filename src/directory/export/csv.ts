/** Matches as CSV (RFC 4180), made so that no spreadsheet takes a cell for a formula. */
import type { OrganizationRecord, PeriodKind, PeriodRecord } from '../record.ts';
import type { MakeExportFormat } from './export-format.ts';

export const csvFormat: MakeExportFormat = (edition) => {
  const roleDisplays = new Map(
    edition.codeSystems.roles.map(({ code, display }) => [code, display]),
  );
  const columns = columnsOf(roleDisplays);
  const line = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;
  return {
    begin: (writer) => writer.text(line(columns.map(([name]) => name))),
    row: (row, _isFirst, writer) => {
      const record = edition.rows.recordAt(row);
      writer.text(line(columns.map(([, cellOf]) => cellOf(record) ?? '')));
    },
    end: () => {},
  };
};

/**
 * Quoted where the standard wants it. What a spreadsheet would run (`=1+1`, `@SUM(…)`) gets an
 * apostrophe in front, which makes it text; quotation marks alone do not.
 */
export function csvCell(text: string): string {
  const cell = FORMULA.test(text) ? `'${text}` : text;
  return cell === text && !SPECIAL.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`;
}

/** Also the full-width forms that some spreadsheets take for the same. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The semicolon separates cells where a comma is the decimal sign. */
const SPECIAL = /[",;\r\n\t]|^\s|\s$/;

type Column = readonly [name: string, valueOf: (record: OrganizationRecord) => string | undefined];

function columnsOf(roleDisplays: ReadonlyMap<string, string | undefined>): readonly Column[] {
  return [
    ['code', ({ code }) => code],
    ['name', ({ name }) => name],
    ['status', ({ isActive }) => (isActive ? 'Active' : 'Inactive')],
    ['primaryRole', ({ roles }) => roles[0]?.code],
    ['primaryRoleDisplay', ({ roles }) => roleDisplays.get(roles[0]?.code ?? '')],
    ['roles', ({ roles }) => roles.map(({ code }) => code).join(' ')],
    ['addressLines', ({ address }) => address?.lines.join(', ')],
    ['city', ({ address }) => address?.city],
    ['district', ({ address }) => address?.district],
    ['postalCode', ({ address }) => address?.postalCode],
    ['country', ({ address }) => address?.country],
    ['uprn', ({ address }) => address?.uprn],
    ['phone', ({ telecoms }) => telecoms.find(({ system }) => system === 'phone')?.value],
    ['lastUpdated', ({ lastUpdated }) => lastUpdated],
    ['recordClass', ({ recordClass }) => recordClass],
    ['operationalStart', (record) => period(record, 'Operational')?.start],
    ['operationalEnd', (record) => period(record, 'Operational')?.end],
    ['legalStart', (record) => period(record, 'Legal')?.start],
    ['legalEnd', (record) => period(record, 'Legal')?.end],
  ];
}

/** The first one of its kind. */
function period({ periods }: OrganizationRecord, kind: PeriodKind): PeriodRecord | undefined {
  return periods.find((each) => each.kind === kind);
}
