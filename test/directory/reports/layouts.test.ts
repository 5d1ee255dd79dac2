/** Each report, in both dialects: which organisations it has, and which columns it fills. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { REPORTS } from '../../../src/interfaces/reports/csv/report-table.ts';
import { organization } from '../records.ts';
import {
  cellsOf,
  fullRecord,
  primary,
  reportEdition,
  SURROUNDINGS,
  since,
} from './report-records.ts';

/** The columns with a value in every report. */
const COMMON = [1, 2, 5, 6, 7, 8, 9, 10, 11, 12];

/**
 * Of each report in the standard layout: the primary roles of its organisations, the columns that it
 * fills besides the common ones, and its parent. `101+269` is a primary role together with another
 * role; `+7` is that other role alone.
 */
const STANDARD: readonly (readonly [
  name: string,
  roles: string,
  columns: string,
  parent?: 'operator' | 'commissioner',
])[] = [
  ['eauth', '185 200 209 210', '3 14 18 22'],
  ['ebranchs', '96', '3 4 15 16 17 18 22', 'operator'],
  ['ecarehomehq', '104+269', '22'],
  ['ecarehomesite', '101+269', '3 4 15 16 17 18 22 24', 'operator'],
  ['eccg', '98', '3 4 14 22'],
  ['eccgsite', '99', '3 4 15 16 17 22', 'operator'],
  ['ecsu', '213', '14 22'],
  ['ecsusite', '214', '14 22'],
  ['ect', '107', '3 4 14 18 22'],
  ['ectsite', '108', '3 4 14 15 18 22', 'operator'],
  ['edispensary', '182', '3 4 13 14 15 16 17 18 22 24', 'operator'],
  ['educate', '117 293 298', '3 4 18 22'],
  ['egdpprac', '110', '3 4 13 14 15 16 17 18 22', 'commissioner'],
  ['ehospice', '+7', '3 4 14 18 22'],
  ['eiom', '137 138', '3 4 14 18 22'],
  ['ejustice', '175 220 228 230 231 232 233 234 235 236 69', '3 4 14 18 22'],
  ['enonnhs', '157', '3 4 14 18 22'],
  ['ensa', '161', '3 4 14 18 22'],
  ['eopthq', '166', '18 22'],
  ['eoptsite', '167', '3 4 15 16 17 18 22 24', 'operator'],
  ['eother', '116 261 318 89 90 91', '3 4 14 18 22'],
  ['epharmacyhq', '181', '18 22'],
  ['ephp', '172', '3 4 22'],
  ['ephpsite', '176', '14 15', 'operator'],
  ['eplab', '173', '15 18 22', 'operator'],
  ['epraccur', '177', '3 4 13 14 15 16 17 18 22 24 26', 'commissioner'],
  ['eschools', '221 281 302 313', '3 4 14 18 22'],
  ['espha', '189', '3 4 14 18 22'],
  ['etr', '197', '3 4 18 22'],
  ['etreat', '+29', '3 4 14 15 18 22', 'operator'],
  ['etrust', '197 198', '3 4 14 15 18 22', 'operator'],
  ['ets', '198', '14 15 18 22', 'operator'],
  ['lauth', '141', '3 4 14 18 22'],
  ['lauthsite', '222', '3 4 14 15 18 22', 'operator'],
  ['niorg', '153 154 155', '14 18 22'],
  ['npraccur', '315', '14 15 16 17 18 22', 'operator'],
  ['wlhb', '144', '14 18 22'],
  ['wlhbsite', '149', '14 15 18 22', 'operator'],
];

const OWN = ['epcmem', 'epcn', 'epcncorepartnerdetails', 'nlhscgpr', 'succ', 'succarc'];

const SUPPLIED = 'eabeydispgp econcur edconcur egmcmem egpcur enurse epcdp epracmem ngpcur'.split(
  ' ',
);

const ROLE_PAIRS = new Set(STANDARD.flatMap(([, roles]) => roles.split(' ')));

/** A role that no report has stands in for a primary role that does not matter. */
const EDITION = reportEdition([
  ...SURROUNDINGS,
  ...Array.from(ROLE_PAIRS, (pair) => {
    const [main = '', other] = pair.split('+');
    return fullRecord(codeOf(pair), main || '999', other);
  }),
  // Social care that is not a care home.
  fullRecord('NOCARE', '104'),
]);

function codeOf(pair: string): string {
  return `R${pair.replace('+', 'X')}`;
}

const PARENTS = {
  operator: ['OP1', '20210401', '20291231'],
  commissioner: ['SUB1', '20200401', '20281231'],
  none: ['', '', ''],
} as const;

interface Expected {
  readonly pair: string;
  readonly parent: keyof typeof PARENTS;
  readonly isFormer: boolean;
  readonly isPractice: boolean;
}

/** The 27 cells of a record, if a report fills all of them. */
function allCells({ pair, parent, isFormer, isPractice }: Expected): string[] {
  const [, other] = pair.split('+');
  const roles = other === undefined ? 'RO76' : `RO76|RO${other}`;
  const [code, joined, left] = PARENTS[parent];
  const dates = isFormer ? ['20010401', '20300331'] : ['20000101', '20310331'];
  const subType = isPractice ? 'B' : isFormer ? '' : roles;
  return [
    codeOf(pair),
    'THE "FULL" ONE',
    'Y61',
    'QB1',
    'FIRST',
    'SECOND',
    'THIRD',
    'LEEDS',
    'WEST YORKSHIRE',
    'LS1 1AA',
    ...dates,
    isFormer ? 'A' : 'ACTIVE',
    subType,
    code,
    joined,
    left,
    '0113 000000',
    '',
    '',
    '',
    '0',
    '',
    code,
    '',
    isFormer ? '4' : roles,
    '',
  ];
}

describe('a report in the standard layout', () => {
  for (const [name, roles, columns, parent = 'none'] of STANDARD) {
    for (const dialect of ['present', 'former'] as const) {
      it(`${name}, ${dialect}`, () => {
        const filled = [...COMMON, ...columns.split(' ').map(Number)];
        const expected = roles
          .split(' ')
          .map((pair) =>
            allCells({
              pair,
              parent,
              isFormer: dialect === 'former',
              isPractice: name === 'epraccur',
            }).map((cell, at) => (filled.includes(at + 1) ? cell : '')),
          )
          .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
        for (const cells of expected) assert.equal(cells.length, 27);
        assert.deepEqual(cellsOf(EDITION, name, { dialect }), expected);
      });
    }
  }

  it('has 27 headings, each once', () => {
    const [headings = []] = cellsOf(EDITION, 'etr', { hasHeadings: true });
    assert.deepEqual(
      [headings.length, new Set(headings).size, headings[0], headings[12], headings[25]],
      [27, 27, 'Organisation Code', 'Status', 'Prescribing Setting'],
    );
  });
});

it('the table has exactly the reports of the national service', () => {
  const standard = STANDARD.map(([name]) => name);
  const names = [...standard, ...OWN, ...SUPPLIED, 'epracarc'].toSorted();
  assert.deepEqual(
    REPORTS.map(({ name }) => name),
    names,
  );
  assert.deepEqual(
    REPORTS.flatMap(({ name, content }) => (content === undefined ? name : [])),
    SUPPLIED,
  );
  assert.deepEqual(
    REPORTS.flatMap(({ name, isWithoutAmendments }) => (isWithoutAmendments ? name : [])),
    ['epcmem', 'epcncorepartnerdetails', 'nlhscgpr', 'succ', 'succarc'],
  );
});

describe('what is in force', () => {
  const closed = (code: string, end: string) =>
    organization(code, {
      isActive: false,
      roles: primary('177'),
      periods: [{ kind: 'Operational', start: '2001-04-01', end }],
    });
  const edition = reportEdition([
    ...SURROUNDINGS,
    {
      ...organization('A1', { roles: primary('177') }),
      // Both are Active in the release. The announced one comes first.
      relationships: [
        since('4', 'SUB2', '319', '2026-12-01'),
        since('4', 'SUB1', '319', '2020-04-01', '2026-11-30'),
        since('4', 'OLD', '98', '2013-04-01', '2020-03-31'),
      ],
    },
    {
      ...organization('SUB2', { roles: primary('999') }),
      relationships: [since('5', 'QB2', '318', '2020-04-01')],
    },
    organization('QB2', { roles: primary('999') }),
    closed('C1', '2017-03-30'),
    closed('C2', '2017-03-31'),
    {
      ...organization('N1', {
        roles: primary('177'),
        periods: [{ kind: 'Operational', start: '2027-01-01' }],
      }),
      relationships: [
        since('4', 'SUB2', '319', '2028-01-01'),
        since('4', 'SUB1', '319', '2027-01-01', '2027-12-31'),
      ],
    },
  ]);
  const parentOn = (options: object) => {
    const [cells = []] = cellsOf(edition, 'epraccur', options);
    return [2, 3, 14, 15, 16].map((at) => cells[at]);
  };
  const codesOn = (options: object) =>
    cellsOf(edition, 'epraccur', options).map(([code, ...cells]) => `${code} ${cells[11]}`);

  it('a practice that opens next month has its parent already, except as at a day', () => {
    const parentOfNew = (options: object) => {
      const cells = cellsOf(edition, 'epraccur', options).find(([code]) => code === 'N1');
      return cells && [13, 14, 15, 16].map((at) => cells[at]);
    };
    assert.deepEqual(parentOfNew({ today: '2026-11-25' }), ['B', 'SUB1', '20270101', '20271231']);
    assert.equal(parentOfNew({ asAt: '2026-11-25' }), undefined);
  });

  it('a practice whose commissioner changes next month has the present one until then', () => {
    const now = ['Y61', 'QB1', 'SUB1', '20200401', '20261130'];
    const next = ['', 'QB2', 'SUB2', '20261201', ''];
    assert.deepEqual(parentOn({ today: '2026-11-24' }), now);
    assert.deepEqual(parentOn({ today: '2026-11-30' }), now);
    assert.deepEqual(parentOn({ today: '2026-12-01' }), next);
    assert.deepEqual(parentOn({ asAt: '2026-12-01' }), next);
    assert.deepEqual(parentOn({ today: '2026-12-01', asAt: '2026-11-30' }), now);
    const former = { dialect: 'former', today: '2026-11-30' };
    assert.deepEqual(parentOn(former), now);
  });

  it('a parent in force counts before one of the past, whatever the relationships', () => {
    const moved = reportEdition([
      ...SURROUNDINGS,
      {
        ...organization('F1', { roles: primary('182') }),
        relationships: [
          since('6', 'OP1', '181', '2010-04-01', '2025-03-31'),
          since('4', 'SUB1', '319', '2020-04-01'),
        ],
      },
    ]);
    const parent = (options: object) => cellsOf(moved, 'edispensary', options)[0]?.slice(14, 17);
    assert.deepEqual(parent({}), ['SUB1', '20200401', '']);
    assert.deepEqual(parent({ asAt: '2025-03-31' }), ['OP1', '20100401', '20250331']);
  });

  it('a day in the past has the commissioner of that day', () => {
    assert.deepEqual(parentOn({ asAt: '2015-04-01' }), ['', '', 'OLD', '20130401', '20200331']);
    assert.deepEqual(parentOn({ asAt: '2012-04-01' }), ['', '', '', '', '']);
  });

  it('the present dialect has what closed on the archive date or later, the former one has all', () => {
    assert.deepEqual(codesOn({}), ['A1 ACTIVE', 'C2 INACTIVE', 'N1 ACTIVE']);
    assert.deepEqual(codesOn({ dialect: 'former' }), ['A1 A', 'C1 C', 'C2 C', 'N1 A']);
  });

  it('a day in the past has what was open then, and not what opened later', () => {
    assert.deepEqual(codesOn({ asAt: '2017-03-31' }), ['A1 ACTIVE', 'C2 ACTIVE']);
    assert.deepEqual(codesOn({ asAt: '2017-03-30' }), ['A1 ACTIVE', 'C1 ACTIVE', 'C2 ACTIVE']);
    assert.deepEqual(codesOn({ asAt: '2017-04-01' }), ['A1 ACTIVE', 'C2 INACTIVE']);
    assert.deepEqual(codesOn({ asAt: '2001-03-31' }), []);
  });
});
