/** Reports with layouts of their own: networks, their partners, members, and successions. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  OrganizationRecord,
  SourceRecord,
  SuccessionRecord,
} from '../../../src/directory/record/record.ts';
import { organization, role } from '../records.ts';
import {
  cellsOf,
  fullRecord,
  primary,
  reportEdition,
  SURROUNDINGS,
  since,
} from './report-records.ts';

const NETWORK = {
  ...organization('U1', {
    name: 'LEEDS PCN',
    roles: primary('272'),
    periods: [
      { kind: 'Operational', start: '2019-07-02' },
      { kind: 'Legal', start: '2019-07-01', end: '2027-03-31' },
    ],
    address: { lines: ['ONE', 'TWO'], city: 'LEEDS', postalCode: 'LS1 1AA' },
  }),
  relationships: [
    since('4', 'SUB1', '319', '2019-07-01', '2026-12-31'),
    since('4', 'SUB2', '319', '2027-01-01'),
  ],
};

const EDITION = reportEdition([
  ...SURROUNDINGS,
  organization('SUB2', { name: 'SUB 2', roles: primary('999') }),
  NETWORK,
  { ...organization('U2', { name: 'YORK PCN', roles: primary('272') }) },
  {
    ...organization('A1', { name: 'PRACTICE 1', roles: [...primary('177'), role('76')] }),
    relationships: [
      since('4', 'OLD', '98', '2013-04-01', '2020-03-31'),
      since('4', 'SUB1', '319', '2020-04-01'),
      since('8', 'U2', '272', '2019-07-01', '2020-06-30'),
      since('8', 'U1', '272', '2020-07-01'),
      // It changes networks next month, and is a partner of an organisation that is no network.
      since('8', 'U2', '272', '2026-12-01'),
      since('8', 'X1', '157', '2020-07-01'),
    ],
  },
  {
    ...organization('A0', {
      roles: primary('177'),
      isActive: false,
      periods: [{ kind: 'Operational', start: '2001-04-01', end: '2016-03-31' }],
    }),
    relationships: [since('4', 'OLD', '98', '2013-04-01', '2016-03-31')],
  },
  fullRecord('Z1', '315'),
]);

describe('the report epcn', () => {
  const address = ['ONE', 'TWO', '', 'LEEDS', '', 'LS1 1AA'];
  const row = (code: string, name: string) => [
    'U1',
    'LEEDS PCN',
    code,
    name,
    '20190701',
    '20270331',
    ...address,
  ];

  it('has twelve columns, with the commissioner of the day', () => {
    const [headings, ...rows] = cellsOf(EDITION, 'epcn', { hasHeadings: true });
    assert.deepEqual(headings, [
      'PCN Code',
      'PCN Name',
      'Current Sub ICB Location Code',
      'Sub ICB Location Name',
      'Open Date',
      'Close Date',
      'Address Line 1',
      'Address Line 2',
      'Address Line 3',
      'Address Line 4',
      'Address Line 5',
      'Postcode',
    ]);
    assert.deepEqual(rows, [
      row('SUB1', 'SUB 1'),
      ['U2', 'YORK PCN', '', '', '20010401', '', '', '', '', '', '', ''],
    ]);
    const [next] = cellsOf(EDITION, 'epcn', { asAt: '2027-01-01' });
    assert.deepEqual(next, row('SUB2', 'SUB 2'));
    assert.deepEqual(cellsOf(EDITION, 'epcn', { dialect: 'former' }), rows);
  });
});

describe('the report epcncorepartnerdetails', () => {
  const from = ['A1', 'PRACTICE 1', 'SUB1', 'SUB 1'];

  it('has a line for each network that a practice is, was or will be in', () => {
    const [headings, ...rows] = cellsOf(EDITION, 'epcncorepartnerdetails', { hasHeadings: true });
    assert.deepEqual(headings, [
      'Partner Organisation Code',
      'Partner Name',
      'Practice Parent Sub ICB Location Code',
      'Practice Parent Sub ICB Location Name',
      'PCN Code',
      'PCN Name',
      'PCN Parent Sub ICB Location Code',
      'PCN Parent Sub ICB Location Name',
      'Practice to PCN Relationship Start Date',
      'Practice to PCN Relationship End Date',
      'Practice Sub ICB and PCN Sub ICB Match?',
    ]);
    assert.deepEqual(rows, [
      [...from, 'U2', 'YORK PCN', '', '', '20190701', '20200630', 'FALSE'],
      [...from, 'U1', 'LEEDS PCN', 'SUB1', 'SUB 1', '20200701', '', 'TRUE'],
      [...from, 'U2', 'YORK PCN', '', '', '20261201', '', 'FALSE'],
    ]);
    assert.deepEqual(cellsOf(EDITION, 'epcncorepartnerdetails', { dialect: 'former' }), rows);
  });

  it('as at a day has the networks that the practice had joined by then', () => {
    const networks = (options: object) =>
      cellsOf(EDITION, 'epcncorepartnerdetails', options).map((cells) => cells[4]);
    assert.deepEqual(networks({ today: '2026-11-30' }), ['U2', 'U1', 'U2']);
    assert.deepEqual(networks({ asAt: '2026-11-30' }), ['U2', 'U1']);
    assert.deepEqual(networks({ asAt: '2026-12-01' }), ['U2', 'U1', 'U2']);
    assert.deepEqual(networks({ asAt: '2020-01-01' }), ['U2']);
    assert.deepEqual(networks({ asAt: '2019-06-30' }), []);
  });
});

describe('the reports of members', () => {
  const closed = ['A0', 'OLD', 'RO98', '20130401', '20160331', '0'];
  const open = [
    ['A1', 'OLD', 'RO98', '20130401', '20200331', '0'],
    ['A1', 'SUB1', 'RO319', '20200401', '', '0'],
  ];

  it('epcmem has the commissioners of practices, those of the past too', () => {
    const [headings, ...rows] = cellsOf(EDITION, 'epcmem', { hasHeadings: true });
    assert.deepEqual(headings, [
      'Organisation Code',
      'Parent Organisation Code',
      'Parent Organisation Type',
      'Join Parent Date',
      'Left Parent Date',
      'Amended Record Indicator',
    ]);
    // The present dialect leaves out practices that closed before the archive date.
    assert.deepEqual(rows, open);
    assert.deepEqual(cellsOf(EDITION, 'epcmem', { dialect: 'former' }), [closed, ...open]);
    assert.deepEqual(cellsOf(EDITION, 'epcmem', { asAt: '2015-01-01' }), [closed, open[0]]);
  });

  it('nlhscgpr has the groups of practices of Northern Ireland', () => {
    assert.deepEqual(cellsOf(EDITION, 'nlhscgpr'), [
      ['Z1', 'SUB1', 'RO319', '20200401', '20281231', '0'],
      ['Z1', 'OP1', 'RO181', '20210401', '20291231', '0'],
    ]);
  });
});

describe('the reports of successions', () => {
  const succession = (
    kind: SuccessionRecord['kind'],
    code: string,
    start: string,
  ): SuccessionRecord => ({ kind, periods: [{ kind: 'Legal', start }], target: { code } });
  const body = (
    code: string,
    main: string,
    successions: SuccessionRecord[] = [],
    more: Partial<OrganizationRecord> = {},
  ): SourceRecord => ({ ...organization(code, { roles: primary(main), ...more }), successions });
  const ended = {
    isActive: false,
    periods: [{ kind: 'Operational', start: '2013-04-01', end: '2024-03-31' }],
  } as const;

  const edition = reportEdition([
    // A became B, which became C: both organisations state the first succession.
    body('A', '98', [succession('Successor', 'B', '2015-04-01')]),
    body('B', '98', [succession('Predecessor', 'A', '2015-04-01')]),
    body('C', '319', [succession('Predecessor', 'B', '2020-04-01')]),
    // E replaced D and has closed. H will replace G next month.
    body('D', '177', [succession('Successor', 'E', '2018-01-01')]),
    body('E', '177', [], ended),
    body('F', '177', [succession('Successor', 'G', '2017-03-31')]),
    body('G', '177', [succession('Successor', 'H', '2026-12-01')]),
    body('H', '177'),
    // The release has no record of the organisation that J replaced.
    body('J', '177', [succession('Predecessor', 'I', '2017-03-30')]),
    { ...body('K', '177', [succession('Successor', 'J', '2019-01-01')]), isReferenceOnly: true },
    // Its only role is no primary one, so the type of the organisation is not known.
    {
      ...body('L', '98', [succession('Successor', 'J', '2019-01-01')], { roles: [role('98')] }),
      isReferenceOnly: true,
    },
  ]);

  const AB = ['A', 'B', '', '20150401', 'F'];
  const BC = ['B', 'C', 'O', '20200401', ''];
  const DE = ['D', 'E', '', '20180101', 'X'];
  const FG = ['F', 'G', '', '20170331', ''];
  const IJ = ['I', 'J', '', '20170330', ''];
  const KJ = ['K', 'J', '', '20190101', ''];
  const LJ = ['L', 'J', '', '20190101', ''];

  it('succ has each succession once', () => {
    assert.deepEqual(cellsOf(edition, 'succ', { hasHeadings: true }), [
      ['Old Organisation Code', 'New Organisation Code', 'Reason', 'Effective Date', 'Indicator'],
      AB,
      BC,
      DE,
      FG,
      IJ,
      KJ,
      LJ,
    ]);
  });

  it('succarc has those before 31 March 2017', () => {
    assert.deepEqual(cellsOf(edition, 'succarc'), [AB, IJ]);
  });

  it('the former succ and succarc have each succession in one of them', () => {
    assert.deepEqual(cellsOf(edition, 'succ', { dialect: 'former' }), [BC, DE, FG, KJ, LJ]);
    assert.deepEqual(cellsOf(edition, 'succarc', { dialect: 'former' }), [AB, IJ]);
  });

  it('a succession counts from its day on, for the indicator too', () => {
    const lines = cellsOf(edition, 'succ', { today: '2026-12-01' });
    assert.deepEqual(lines[3], ['F', 'G', '', '20170331', 'F']);
    assert.deepEqual(lines[4], ['G', 'H', '', '20261201', '']);
    assert.deepEqual(cellsOf(edition, 'succ', { asAt: '2018-06-01' }), [
      ['A', 'B', '', '20150401', ''],
      ['D', 'E', '', '20180101', ''],
      FG,
      IJ,
    ]);
  });
});
