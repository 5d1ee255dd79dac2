/** The report `epraccur` as it was published until 2025: 27 columns for each prescribing cost centre. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { contentOf } from '../../../src/interfaces/reports/csv/report-table.ts';
import { reportPieces } from '../../../src/interfaces/reports/csv/write-report.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS, relationship } from '../../web/related-records.ts';
import { editionOf } from '../directory-server.ts';
import { organization, role } from '../records.ts';

function report(records: readonly SourceRecord[], day = '2026-11-24'): string[] {
  const edition = editionOf(records, 1, RELATED_CODE_SYSTEMS);
  const options = { dialect: 'former', today: day } as const;
  const pieces = [...reportPieces(edition, contentOf('epraccur'), options)];
  return Buffer.concat(pieces).toString().split('\r\n');
}

it('a practice has its region, its board and its commissioner, and no header line', () => {
  const lines = report(RELATED_RECORDS);
  assert.equal(lines.pop(), '');
  assert.equal(lines.length, 30);
  assert.equal(
    lines[0],
    '"A81000","PRACTICE 0","Y63","QWO","THE HEALTH CENTRE","LAWSON STREET","","LEEDS",' +
      '"WEST YORKSHIRE","LS1 1AA","20010401","","A","B","15F","20200401","","0113 000000",' +
      '"","","","0","","15F","","4",""',
  );
  for (const line of lines) assert.equal(line.split('","').length, 27, line);
});

it('a closed practice has the last commissioner, and the date when it left', () => {
  const past = (code: string, start: string, end: string) =>
    relationship('4', code, '98', {
      isActive: false,
      periods: [{ kind: 'Operational', start, end }],
    });
  const [line = ''] = report([
    {
      ...organization('A1', {
        name: 'SAY "AH"',
        isActive: false,
        periods: [{ kind: 'Operational', start: '2001-04-01', end: '2016-06-30' }],
        roles: [role('177', { isPrimary: true }), role('80'), role('87')],
        address: { lines: ['ONE', 'TWO', 'THREE', 'FOUR'] },
        telecoms: [{ system: 'phone', value: '=1+1' }],
      }),
      relationships: [
        past('5AA', '2001-04-01', '2013-03-31'),
        past('01A', '2013-04-01', '2016-06-30'),
      ],
    },
  ]);
  assert.equal(
    line,
    '"A1","SAY ""AH""","","","ONE","TWO","THREE, FOUR","","","","20010401","20160630","C","B",' +
      '"01A","20130401","20160630","=1+1","","","","0","","01A","","3",""',
  );
});

it('an organisation without a commissioner is not allocated', () => {
  const [line = ''] = report([
    organization('A1', { roles: [role('177', { isPrimary: true })], periods: [] }),
  ]);
  assert.deepEqual(
    line
      .slice(1, -1)
      .split('","')
      .filter((cell) => cell !== ''),
    ['A1', 'ORGANISATION A1', 'A', 'Z', '0', '0'],
  );
});

it('a practice has the commissioner, the board and the region of the day, whatever the status', () => {
  const from = (type: string, code: string, role: string, start: string, end?: string) =>
    relationship(type, code, role, {
      periods: [{ kind: 'Operational', start, ...(end !== undefined && { end }) }],
    });
  const records = [
    {
      ...organization('A1', { roles: [role('177', { isPrimary: true })] }),
      // An announced commissioner comes first in the file, and an ended one is still Active.
      relationships: [
        from('4', 'NEW', '319', '2027-01-01'),
        from('4', 'NOW', '319', '2026-04-01', '2026-12-31'),
        from('4', 'OLD', '98', '2013-04-01', '2026-03-31'),
      ],
    },
    {
      ...organization('NEW'),
      relationships: [from('5', 'QB2', '318', '2020-04-01'), from('5', 'Y60', '209', '2020-04-01')],
    },
    {
      ...organization('NOW'),
      relationships: [
        from('5', 'QB1', '318', '2020-04-01', '2026-11-30'),
        from('5', 'QB3', '318', '2026-12-01'),
      ],
    },
    organization('OLD'),
  ];
  const cells = (day: string) => report(records, day)[0]?.slice(1, -1).split('","') ?? [];
  const of = (day: string) => [2, 3, 14, 15, 16].map((at) => cells(day)[at]);
  assert.deepEqual(of('2026-03-31'), ['', '', 'OLD', '20130401', '20260331']);
  assert.deepEqual(of('2026-11-30'), ['', 'QB1', 'NOW', '20260401', '20261231']);
  assert.deepEqual(of('2026-12-01'), ['', 'QB3', 'NOW', '20260401', '20261231']);
  assert.deepEqual(of('2027-01-01'), ['Y60', 'QB2', 'NEW', '20270101', '']);
  // Before the first one begins, the practice has the one that is announced.
  assert.deepEqual(
    [...of('2013-03-31'), cells('2013-03-31')[13]],
    ['', '', 'OLD', '20130401', '20260331', 'B'],
  );
});
