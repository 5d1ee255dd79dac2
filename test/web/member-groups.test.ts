/** The numbers of members on the page of an organisation: counted once for a code, a day and an edition. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { directMemberGroups } from '../../src/web/matches/members.ts';
import { editionOf } from '../directory/directory-server.ts';
import { organization, role } from '../directory/records.ts';
import { RELATED_CODE_SYSTEMS, relationship } from './related-records.ts';

const LAST_DAY = '2026-12-31';

/** A practice until the last day, a site, and a closed site. */
function memberEdition(): Edition {
  const roles = (code: string) => ({ roles: [role(code, { isPrimary: true })] });
  const records = [
    {
      ...organization('A0', roles('177')),
      relationships: [
        relationship('4', 'C0', '98', {
          periods: [{ kind: 'Operational', start: '2020-04-01', end: LAST_DAY }],
        }),
      ],
    },
    { ...organization('B0', roles('198')), relationships: [relationship('6', 'C0', '98')] },
    {
      ...organization('B1', { ...roles('198'), isActive: false }),
      relationships: [relationship('6', 'C0', '98')],
    },
    organization('C0', roles('98')),
  ];
  return editionOf(records, 1, RELATED_CODE_SYSTEMS);
}

/** Counts the searches that the groups need. */
function counted(context: TestContext, edition: Edition) {
  return context.mock.method(edition.links, 'incoming').mock;
}

it('groups of members are kept by code and day, and found again for another day', async (context) => {
  const edition = memberEdition();
  const searches = counted(context, edition);
  const groups = await directMemberGroups(edition, 'C0', LAST_DAY);
  const site = { type: '6', role: '198', count: 1 };
  assert.deepEqual(
    groups.toSorted((a, b) => a.type.localeCompare(b.type)),
    [{ type: '4', role: '177', count: 1 }, site],
  );
  assert.equal(await directMemberGroups(edition, 'C0', LAST_DAY), groups);
  assert.equal(searches.callCount(), 1);
  assert.deepEqual(await directMemberGroups(edition, 'C0', '2027-01-01'), [site]);
  assert.deepEqual(await directMemberGroups(edition, 'A0', LAST_DAY), []);
  assert.equal(searches.callCount(), 3);
});

it('groups of members are those of the edition', async () => {
  const [one, other] = [memberEdition(), editionOf([organization('C0')], 2, RELATED_CODE_SYSTEMS)];
  assert.equal((await directMemberGroups(one, 'C0', LAST_DAY)).length, 2);
  assert.deepEqual(await directMemberGroups(other, 'C0', LAST_DAY), []);
  assert.equal((await directMemberGroups(one, 'C0', LAST_DAY)).length, 2);
});

it('groups of members are forgotten after those of a thousand others', async (context) => {
  const edition = memberEdition();
  const searches = counted(context, edition);
  const groups = await directMemberGroups(edition, 'C0', LAST_DAY);
  for (let at = 0; at < 1000; at++) await directMemberGroups(edition, `X${at}`, LAST_DAY);
  assert.equal(searches.callCount(), 1001);
  assert.deepEqual(await directMemberGroups(edition, 'C0', LAST_DAY), groups);
  assert.equal(searches.callCount(), 1002);
});
