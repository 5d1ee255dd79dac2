/** The counts of roles and status, read from the index bit by bit, held to a naive count. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as task } from 'node:timers/promises';
import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import { facetsOf, prepareFacets } from '../../../src/web/matches/facets.ts';
import { editionOf } from '../../directory/directory-server.ts';
import { organization, role } from '../../directory/records.ts';

const main = (code: string) => role(code, { isPrimary: true });
const other = (code: string) => role(code, { isPrimary: false });

/** Many of one shape, some with a role twice, and enough for several interpretations of two rows each. */
const RECORDS: readonly OrganizationRecord[] = Array.from({ length: 12 }, (_, i) =>
  organization(`C${String(i).padStart(4, '0')}`, {
    name: `NAME ${i}`,
    isActive: i % 3 > 0,
    roles:
      i % 4 === 0
        ? [main('76'), other('177'), other('177')]
        : i % 4 === 1
          ? [main('177'), other('76')]
          : [main('76')],
  }),
);

describe('facets', () => {
  it('that were prepared count as a look at each record does', async () => {
    const edition = editionOf(RECORDS);
    await new Promise<void>((resolve) => prepareFacets(edition, resolve, 2));
    requireCounts(edition);
  });

  it('that are asked for before they are ready are read to their end at once', async () => {
    const edition = editionOf(RECORDS);
    let times = 0;
    const ready = new Promise<void>((resolve) => {
      prepareFacets(
        edition,
        () => {
          times += 1;
          resolve();
        },
        2,
      );
    });
    await task();
    await task();
    assert.equal(times, 0);
    const facets = facetsOf(edition);
    requireCounts(edition);
    await ready;
    assert.equal(facetsOf(edition), facets);
    assert.equal(times, 1);
  });
});

function requireCounts(edition: ReturnType<typeof editionOf>): void {
  const facets = facetsOf(edition);
  for (const rows of [undefined, [0, 1, 4, 9]]) {
    const records = rows?.map((row) => RECORDS[row]!) ?? RECORDS;
    const counts = facets.count(rows);
    for (const wantedActive of [undefined, true, false]) {
      const wanted = records.filter(
        ({ isActive }) => wantedActive === undefined || isActive === wantedActive,
      );
      assert.deepEqual(
        Object.fromEntries(
          facets.roles(counts, wantedActive).map(({ code, count }) => [code, count]),
        ),
        Object.fromEntries(
          ['76', '177'].map((code) => [code, wanted.filter(hasRole([code])).length]),
        ),
      );
    }
    for (const codes of [[], ['177'], ['76', '177'], ['198']]) {
      const held = records.filter((record) => codes.length === 0 || hasRole(codes)(record));
      const active = held.filter(({ isActive }) => isActive).length;
      assert.deepEqual(facets.statuses(counts, codes), { active, inactive: held.length - active });
    }
    for (const { code, active, inactive } of facets.primaryRoles(counts)) {
      const held = records.filter(({ roles }) => roles[0]?.code === code);
      assert.equal(active, held.filter(({ isActive }) => isActive).length);
      assert.equal(active + inactive, held.length);
    }
  }
}

function hasRole(codes: readonly string[]): (record: OrganizationRecord) => boolean {
  return ({ roles }) => roles.some(({ code }) => codes.includes(code));
}
