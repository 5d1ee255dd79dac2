/** Matches as CSV. */

import type { Edition } from '../edition/edition.ts';
import type { OrganizationRecord, PeriodKind, PeriodRecord } from '../record/record.ts';
import { csvLine } from './csv-line.ts';
import type { MakeExportFormat } from './export-format.ts';

export const csvFormat: MakeExportFormat = ({ edition }) => {
  const columns = csvColumns(edition);
  return {
    begin: (writer) => writer.text(csvLine(columns.map(([name]) => name))),
    row: (row, _isFirst, writer) => {
      const record = edition.rows.recordAt(row);
      writer.text(csvLine(columns.map(([, cellOf]) => cellOf(record) ?? '')));
    },
    end: () => {},
  };
};

export type CsvColumn = readonly [
  name: string,
  valueOf: (record: OrganizationRecord) => string | undefined,
];

/** The columns, without those of relationships. */
export function csvColumns({ codeSystems }: Edition): readonly CsvColumn[] {
  const roleDisplays = new Map(codeSystems.roles.map(({ code, display }) => [code, display]));
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

/** The first contact of its kind. */
function period({ periods }: OrganizationRecord, kind: PeriodKind): PeriodRecord | undefined {
  return periods.find((each) => each.kind === kind);
}
