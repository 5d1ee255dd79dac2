/** `membersOf` is the exact inverse of `belongsTo`, and both do what the oracle says. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { belongsTo, LEVEL_NAMES, levelNamed } from '../../../src/directory/ask/belongs-to.ts';
import { levelColumn, membersOf } from '../../../src/directory/ask/members-of.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { relationship } from '../../web/related-records.ts';
import { editionOf } from '../directory-server.ts';
import { organization, role } from '../records.ts';
import { nation, roleOf, targetsOf } from './nation.ts';
import { Oracle } from './oracle.ts';

it('organisations belong to what the rule says, and are the members of exactly these', async () => {
  await fc.assert(
    fc.asyncProperty(nation, async (each) => {
      const { records, day } = each;
      const { links, ...edition } = editionOf(records);
      const oracle = new Oracle(records, roleOf, day);
      const above = new Map<string, readonly string[]>();
      for (const { code } of records) {
        const levels = belongsTo({ links, ...edition }, links.rowOf(code) ?? -1, day);
        const expected = oracle.levels(code);
        assert.deepEqual(
          levels.map((level) => ({ code: level.code, by: level.by })),
          expected,
          code,
        );
        above.set(
          code,
          levels.map((level) => level.code),
        );
      }
      for (const name of LEVEL_NAMES) {
        const column = await levelColumn({ links, ...edition }, name, day);
        for (const { code } of records) {
          const row = links.rowOf(code)!;
          const named = levelNamed(belongsTo({ links, ...edition }, row, day), name);
          const target = column[row]!;
          assert.equal(target < 0 ? undefined : links.codeOfTarget(target), named?.code, code);
        }
      }
      const targets = targetsOf(each);
      const membersAsked = async (codes: readonly string[]) =>
        Array.from(await membersOf({ links, ...edition }, codes, day), links.codeOf).sort();
      for (const wanted of [...targets.map((target) => [target]), targets.slice(0, 3)]) {
        const expected = records
          .map(({ code }) => code)
          .filter((code) => wanted.some((target) => above.get(code)?.includes(target)));
        assert.deepEqual(await membersAsked(wanted), expected, wanted.join(' '));
      }
    }),
    { numRuns: repetitions(20, 200) },
  );
});

it('members are kept by day and code, and found again for another day', async () => {
  const records = [
    {
      ...organization('A0', { roles: [role('177', { isPrimary: true })] }),
      relationships: [
        relationship('4', 'C0', '98', {
          periods: [{ kind: 'Operational', start: '2020-04-01', end: '2026-12-31' }],
        }),
      ],
    },
    organization('C0', { roles: [role('98', { isPrimary: true })] }),
  ];
  const edition = editionOf(records);
  const first = await membersOf(edition, ['C0'], '2026-12-31');
  assert.deepEqual([...first], [0]);
  assert.equal(await membersOf(edition, ['C0'], '2026-12-31'), first);
  assert.deepEqual([...(await membersOf(edition, ['C0'], '2027-01-01'))], []);
  assert.deepEqual([...(await membersOf(edition, ['NONE'], '2026-12-31'))], []);
  assert.deepEqual([...(await membersOf(edition, [], '2026-12-31'))], []);
});

it('members and columns are not found for who has left, but for the next one who asks', async () => {
  const edition = editionOf([
    { ...organization('A0'), relationships: [relationship('4', 'C0', '98')] },
    organization('C0'),
  ]);
  const reason = new Error('left');
  const left = AbortSignal.abort(reason);
  await assert.rejects(membersOf(edition, ['C0'], '2026-12-31', left), reason);
  await assert.rejects(levelColumn(edition, 'subIcb', '2026-12-31', left), reason);
  assert.deepEqual([...(await membersOf(edition, ['C0'], '2026-12-31'))], [0]);
  assert.deepEqual([...(await levelColumn(edition, 'subIcb', '2026-12-31'))], [1, -1]);
});
