/** A release with every national role: every report that can have rows has rows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { releaseRoles } from '../../../scripts/release/roles.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { REPORTS } from '../../../src/interfaces/reports/csv/report-table.ts';
import { editionOf } from '../directory-server.ts';
import { organization, role } from '../records.ts';
import { cellsOf, REPORT_CODE_SYSTEMS, since } from './report-records.ts';

/** It has the role as its primary one, and all others as further ones. */
function recordWith(primary: string): SourceRecord {
  const others = releaseRoles.map(([code]) => code).filter((code) => code !== primary);
  return {
    ...organization(`R${primary}`, {
      name: 'ALL ROLES',
      roles: [role(primary, { isPrimary: true }), ...others.map((code) => role(code))],
    }),
    relationships: [
      since('4', 'R319', '319', '2020-04-01'),
      since('6', 'R197', '197', '2020-04-01'),
      since('8', 'R272', '272', '2020-04-01'),
    ],
    successions: ['2016-04-01', '2020-04-01'].map((start) => ({
      kind: 'Successor',
      target: { code: 'R319' },
      periods: [{ kind: 'Legal', start }],
    })),
  };
}

const ARCHIVED: SourceRecord = organization('ARCHIVED', {
  isActive: false,
  roles: [role('177', { isPrimary: true })],
  periods: [{ kind: 'Operational', start: '2001-04-01', end: '2016-03-31' }],
});

describe('reports of a release with every national role', () => {
  const records = [ARCHIVED, ...releaseRoles.map(([code]) => recordWith(code))];
  const sorted = records.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const roles = releaseRoles.map(([code, display]) => ({ code, display }));
  const edition = editionOf(sorted, 1, { ...REPORT_CODE_SYSTEMS, roles });

  for (const { name, content } of REPORTS) {
    if (content === undefined) continue;
    it(`${name} has rows`, () => {
      assert.notDeepEqual(cellsOf(edition, name), []);
    });
  }

  it('epracarc has what had closed before the archive, and nothing else', () => {
    assert.deepEqual(
      cellsOf(edition, 'epracarc').map(([code]) => code),
      ['ARCHIVED'],
    );
  });
});
