/** What an organisation belongs to on a day, level by level. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { levelsOf } from '../../../src/directory/ask/hierarchy.ts';
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
  return levelsOf(EDITION, row, day).map(({ code: above, by }) => `${by} ${above}`);
}

it('a practice belongs to its network, the part of the board, the board and the region', () => {
  assert.deepEqual(levels('A1'), ['RE8 U1', 'RE4 15F', 'RE5 QWO', 'RE5 Y63']);
  assert.deepEqual(levelsOf(EDITION, EDITION.links.rowOf('15F') ?? -1, '2026-11-25')[0], {
    code: 'QWO',
    name: 'NAME QWO',
    role: 'RO318',
    by: 'RE5',
  });
});

it('a practice without a network belongs to its commissioner', () => {
  assert.deepEqual(levels('A2'), ['RE4 15F', 'RE5 QWO', 'RE5 Y63']);
});

it('a site belongs to its operator first, and a trust to its board', () => {
  assert.deepEqual(levels('RR801'), ['RE6 RR8', 'RE5 QWO', 'RE5 Y63']);
});

it('a network that is announced counts from its day on, and a target needs no record', () => {
  assert.deepEqual(levels('A1', '2026-12-31').slice(0, 1), ['RE8 U1']);
  assert.deepEqual(levels('A1', '2027-01-01'), ['RE8 U2', 'RE4 OTHER']);
});

it('nothing is in force before it begins', () => {
  assert.deepEqual(levels('A1', '2019-01-01'), []);
});

it('a circle ends', () => {
  assert.deepEqual(levels('LOOP1'), ['RE2 LOOP2']);
  assert.deepEqual(levels('Y63'), []);
});

it('the commissioner of a practice follows a network that says nothing about its own', () => {
  const edition = editionOf([
    body('15F', '319', '5 QWO 318', '2 OTHER 318'),
    body('A1', '177', '4 15F 319', '8 U9 272'),
    body('QWO', '318', '5 Y63 209', '2 OTHER 318'),
    body('U9', '272'),
    body('Y63', '209'),
  ]);
  const found = levelsOf(edition, edition.links.rowOf('A1') ?? -1, '2026-11-25');
  assert.deepEqual(
    found.map(({ code }) => code),
    ['U9', '15F', 'QWO', 'Y63'],
  );
});

it('a reference-only record without a primary role has the role that the relationship states', () => {
  const edition = editionOf([
    body('A1', '177', '4 REF 319'),
    { ...organization('REF', { roles: [role('98')] }), isReferenceOnly: true },
  ]);
  const [level] = levelsOf(edition, edition.links.rowOf('A1') ?? -1, '2026-11-25');
  assert.equal(level?.role, 'RO319');
});
