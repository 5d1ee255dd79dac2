/** Organisations that closed and opened again: their periods on the day of the report count. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { organization } from '../records.ts';
import { cellsOf, primary, reportEdition } from './report-records.ts';

const REOPENED = organization('P92006', {
  isActive: true,
  roles: primary('177'),
  periods: [
    { kind: 'Operational', start: '2000-01-01', end: '2005-12-31' },
    { kind: 'Operational', start: '2010-01-01' },
    { kind: 'Legal', start: '2000-01-01', end: '2005-12-31' },
    { kind: 'Legal', start: '2010-01-01' },
  ],
});

const lines = (report: string, asAt?: string) =>
  cellsOf(reportEdition([REOPENED]), report, asAt === undefined ? {} : { asAt }).map((cells) => [
    cells[0],
    cells[10],
    cells[11],
    cells[12],
  ]);

it('an organisation that opened again is listed as open, and not in the archive', () => {
  assert.deepEqual(lines('epraccur'), [['P92006', '20100101', '', 'ACTIVE']]);
  assert.deepEqual(lines('epracarc'), []);
});

it('a report as at a day of its first time has the dates of that time', () => {
  assert.deepEqual(lines('epraccur', '2003-06-30'), [['P92006', '20000101', '20051231', 'ACTIVE']]);
  assert.deepEqual(lines('epraccur', '2012-01-01'), [['P92006', '20100101', '', 'ACTIVE']]);
});
