/** What an import knows of the editions before it if they are damaged, or the clock was set back. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changes, createImports, deletions, record } from './importing.ts';

const [A, B, C, D] = [record('A1', 1), record('B1', 2), record('C1', 3), record('D1', 4)];

it('an import after a damaged edition compares with the newest one that can be read, and warns', async (context) => {
  const { publish, report, open, store, damage } = createImports(context);
  await publish([A, B, C, D]);
  await publish([A, { ...B, name: 'RENAMED' }, C]);
  await publish([{ ...A, name: 'OTHER' }, { ...B, name: 'RENAMED' }, C, record('E1', 5)]);
  const file = damage(3, 'rows.hashes.bin');
  const { edition, problems } = await report([A, { ...B, name: 'RENAMED' }, C]);
  const [problem = '', ...others] = problems ?? [];
  assert.deepEqual(others, []);
  assert.ok(
    problem.startsWith(`Edition 3 cannot be read: ${file}: its checksum is wrong`),
    problem,
  );
  assert.match(problem, /The new edition is compared with edition 2\.$/);
  assert.deepEqual([edition.added, edition.changed, edition.removed], [0, 0, 0]);
  assert.equal((await store.differences(4))?.comparedTo, 2);
  const next = await open(4);
  assert.deepEqual(changes(next), ['A1 4', 'B1 2', 'C1 1'], 'A1 changed in edition 3 too');
  assert.deepEqual(deletions(next, 'organizations'), ['D1 2', 'E1 4']);
  assert.deepEqual([...next.formerNames()], [['B1', [B.name]]]);
  assert.deepEqual((await report([A, B, C])).problems, undefined);
});

it('if no edition can be read, everything counts as changed, and removals are listed', async (context) => {
  const { publish, report, open, damage } = createImports(context);
  await publish([A, B]);
  await publish([A, C]);
  for (const edition of [1, 2]) damage(edition, 'manifest.json');
  const { edition, problems } = await report([A]);
  assert.match(problems?.[0] ?? '', /manifest\.json: .* No other edition can be read\./);
  const next = await open(edition.number);
  assert.deepEqual(changes(next), ['A1 3']);
  assert.deepEqual(deletions(next, 'organizations'), ['B1 3', 'C1 3']);
});

it('after a rollback by an earlier version, the changes that it undid count as changed', async (context) => {
  const { publish, store, rollBackAsBefore } = createImports(context);
  await publish([A, B, C]);
  await publish([A, { ...B, name: 'RENAMED' }, C]);
  await publish([A, { ...B, name: 'RENAMED' }, D]);
  rollBackAsBefore(1);
  assert.equal((await store.current())?.number, 1);
  const next = await publish([A, B, C]);
  assert.deepEqual(changes(next), ['A1 1', 'B1 4', 'C1 4']);
  assert.deepEqual(deletions(next, 'organizations'), ['D1 4']);
});

it('an import warns that the clock is behind, and its edition is the newest', async (context) => {
  let now = '2026-02-03T10:00:00.000Z';
  const { publish, report } = createImports(context, () => new Date(now));
  assert.equal((await publish([A])).publishedAt, now);
  now = '2026-02-01T10:00:00.000Z';
  const { edition, problems } = await report([A, B]);
  assert.equal(edition.publishedAt, '2026-02-03T10:00:00.001Z');
  assert.deepEqual(problems, [
    'The clock says 2026-02-01T10:00:00.000Z, which is before the edition that was published last. ' +
      'Edition 2 therefore has the time 2026-02-03T10:00:00.001Z. Check the clock of this machine.',
  ]);
});
