/** What an organisation belongs to on a day, level by level. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { belongsTo } from '../../../src/directory/ask/belongs-to.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { relationship } from '../../web/related-records.ts';
import { editionOf } from '../directory-server.ts';
import { organization, role } from '../records.ts';

function body(code: string, primary: string, ...links: readonly string[]): SourceRecord {
  return {
    ...organization(code, { name: `NAME ${code}`, roles: [role(primary, { isPrimary: true })] }),
    relationships: links.map((link) => {
      const [type = '', target = '', targetRole = '', start = '2020-04-01', end] = link.split(' ');
      return relationship(type, target, targetRole, {
        periods: [{ kind: 'Operational', start, ...(end !== undefined && { end }) }],
      });
    }),
  };
}

/** In the order of their codes. */
const EDITION = editionOf([
  body('15F', '319', '5 QWO 318'),
  body(
    'A1',
    '177',
    '4 15F 319',
    '8 U1 272 2020-04-01 2026-12-31',
    '8 U2 272 2027-01-01',
    '8 X 157',
  ),
  body('A2', '177', '4 15F 319'),
  body('LOOP1', '157', '2 LOOP2 157'),
  body('LOOP2', '157', '2 LOOP1 157'),
  body('QWO', '318', '5 Y63 209'),
  body('RR8', '197', '5 QWO 318'),
  body('RR801', '198', '5 QWO 318', '6 RR8 197'),
  body('U1', '272', '4 15F 319'),
  body('U2', '272', '4 OTHER 319'),
  body('Y63', '209'),
]);

function levels(code: string, day = '2026-11-25'): readonly string[] {
  const row = EDITION.links.rowOf(code) ?? -1;
  return belongsTo(EDITION, row, day).map(({ code: above, by }) => `${by} ${above}`);
}

it('a practice belongs to its network, the part of the board, the board and the region', () => {
  assert.deepEqual(levels('A1'), ['RE8 U1', 'RE4 15F', 'RE5 QWO', 'RE5 Y63']);
  assert.deepEqual(belongsTo(EDITION, EDITION.links.rowOf('15F') ?? -1, '2026-11-25')[0], {
    code: 'QWO',
    name: 'NAME QWO',
    role: 'RO318',
    by: 'RE5',
  });
});

it('a practice without a network belongs to its commissioner', () => {
  assert.deepEqual(levels('A2'), ['RE4 15F', 'RE5 QWO', 'RE5 Y63']);
});

it('a site belongs to its operator and its board', () => {
  assert.deepEqual(levels('RR801'), ['RE6 RR8', 'RE5 QWO', 'RE5 Y63']);
});

it('a network that is announced counts from its day on, and a target needs no record', () => {
  assert.deepEqual(levels('A1', '2026-12-31').slice(0, 1), ['RE8 U1']);
  assert.deepEqual(levels('A1', '2027-01-01').slice(0, 1), ['RE8 U2']);
});

it('nothing is in force before it begins', () => {
  assert.deepEqual(levels('A1', '2019-01-01'), []);
});

it('a circle ends', () => {
  assert.deepEqual(levels('LOOP1'), ['RE2 LOOP2']);
  assert.deepEqual(levels('Y63'), []);
});

it('a practice on a border belongs to its own board and to its network, not to the board of the network', () => {
  // The network is of OTHER from 2027 on.
  assert.deepEqual(levels('A1', '2027-01-01'), ['RE8 U2', 'RE4 15F', 'RE5 QWO', 'RE5 Y63']);
  assert.deepEqual(levels('U2', '2027-01-01'), ['RE4 OTHER']);
});

/** The codes above the first record, on a day on which all is in force. */
function above(...records: readonly SourceRecord[]): readonly string[] {
  const edition = editionOf(records.toSorted((a, b) => (a.code < b.code ? -1 : 1)));
  const row = edition.links.rowOf(records[0]!.code) ?? -1;
  return belongsTo(edition, row, '2026-11-25').map(({ code }) => code);
}

const BOARDS = [
  body('15F', '319', '5 QWO 318', '2 OTHER 318'),
  body('20X', '98', '5 QOP 261'),
  body('QOP', '261', '5 Y60 209'),
  body('QWO', '318', '5 Y63 209', '2 OTHER 318'),
  body('Y60', '209'),
  body('Y63', '209'),
];

it('an organisation belongs to one sub-ICB location, one board and one region: those that it names', () => {
  const cases: readonly (readonly [...string[], string])[] = [
    // Its own commissioner, not that of its operator.
    ['4 15F 319', '6 HQ 172', '15F HQ QWO Y63'],
    // The operator of a site that names none.
    ['6 HQ 172', 'HQ 20X QOP Y60'],
    // The board that it names, and then no sub-ICB location of another.
    ['6 HQ 172', '5 QWO 318', 'HQ QWO Y63'],
    // All that it names itself.
    ['5 QWO 318', '3 Y60 209', '4 20X 98', '20X QWO Y60'],
    // Of two commissioners, the one that began last.
    ['4 15F 319 2019-04-01', '4 20X 98 2021-04-01', '20X QOP Y60'],
  ];
  for (const [...links] of cases) {
    const expected = links.pop() ?? '';
    const found = above(body('A1', '198', ...links), body('HQ', '172', '4 20X 98'), ...BOARDS);
    assert.equal(found.join(' '), expected, links.join(', '));
  }
});

it('other levels all count, whatever they belong to', () => {
  const found = above(
    body('A1', '182', '4 15F 319', '6 HQ 181', '6 HQ2 181', '2 SITE 198'),
    body('HQ', '181', '2 GROUP 157'),
    body('SITE', '198', '6 TRUST 197'),
    ...BOARDS,
  );
  assert.deepEqual(found, ['15F', 'HQ', 'HQ2', 'SITE', 'QWO', 'GROUP', 'TRUST', 'Y63']);
});

describe('a closed organisation', () => {
  const closed = (record: SourceRecord, end: string | undefined) => ({
    ...record,
    isActive: end !== undefined,
    periods: [{ kind: 'Operational' as const, start: '2001-04-01', ...(end && { end }) }],
  });

  it('belongs to what it belonged to on its last day', () => {
    const record = body(
      'A1',
      '177',
      '4 15F 319 2001-04-01 2020-03-31',
      '4 20X 98 2020-04-01',
      '8 U1 272 2019-07-01 2019-12-31',
      '8 U2 272 2018-07-01 2019-08-31',
    );
    // Of the networks, none of which was in force, the last one.
    for (const end of ['2020-03-31', '2020-03']) {
      assert.deepEqual(above(closed(record, end), ...BOARDS), ['U1', '15F', 'QWO', 'Y63'], end);
    }
    assert.deepEqual(above(closed(record, undefined), ...BOARDS), ['U1', '20X', 'QOP', 'Y60']);
  });

  it('on the way up is asked about its last day too, and those above it about the day', () => {
    const found = above(
      body('A1', '177', '4 OLD 98'),
      closed(body('OLD', '98', '5 Q01 261 2013-04-01 2020-03-31', '5 Q02 261 2021-04-01'), '2020'),
      body('Q01', '261', '5 Y55 209 2013-04-01 2019-03-31', '5 Y56 209 2019-04-01'),
    );
    assert.deepEqual(found, ['OLD', 'Q01', 'Y56']);
  });

  it('that left before it closed belongs to what it left, and one that is open to nothing', () => {
    const record = body('A1', '177', '4 15F 319 2001-04-01 2010-03-31');
    assert.deepEqual(above(closed(record, '2020-03-31'), ...BOARDS), ['15F', 'QWO', 'Y63']);
    assert.deepEqual(above(record, ...BOARDS), []);
  });
});

it('a reference-only record without a primary role has the role that the relationship states', () => {
  const edition = editionOf([
    body('A1', '177', '4 REF 319'),
    { ...organization('REF', { roles: [role('98')] }), isReferenceOnly: true },
  ]);
  const [level] = belongsTo(edition, edition.links.rowOf('A1') ?? -1, '2026-11-25');
  assert.equal(level?.role, 'RO319');
});
