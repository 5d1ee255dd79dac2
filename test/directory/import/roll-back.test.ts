/** A rollback publishes the content of an earlier edition as a new one. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rollBack } from '../../../src/directory/import/roll-back.ts';
import { changes, createImports, deletions, record } from './importing.ts';

const [A, B, C] = [record('A1', 1), record('B1', 2), record('C1', 3)];
const RENAMED = { ...B, name: 'RENAMED' };

it('a rollback changes what differs from the edition before, and takes it off the deletions', async (context) => {
  const { store, publish, open } = createImports(context);
  await publish([A, B, C]);
  await publish([A, RENAMED, C]);
  assert.deepEqual(deletions(await publish([A, RENAMED]), 'organizations'), ['C1 3']);
  const { edition, from } = await rollBack(store, 1);
  assert.deepEqual([edition.number, from.number, edition.source], [4, 1, 'edition 1 again: test']);
  assert.deepEqual([edition.added, edition.changed, edition.removed], [1, 1, 0]);
  assert.ok(edition.isCurrent);
  const restored = await open(4);
  assert.deepEqual(changes(restored), ['A1 1', 'B1 4', 'C1 4']);
  assert.deepEqual(deletions(restored, 'organizations'), []);
  assert.deepEqual([...restored.formerNames()], [['B1', ['RENAMED']]]);
  const next = await publish([{ ...A, name: 'NEW' }, B, C]);
  assert.deepEqual(changes(next), ['A1 5', 'B1 4', 'C1 4']);
});

it('a rollback lists what it removes, with relationships, roles and successions', async (context) => {
  const { store, publish, open } = createImports(context);
  await publish([A]);
  await publish([A, B]);
  await rollBack(store);
  const restored = await open(3);
  assert.deepEqual(changes(restored), ['A1 1']);
  assert.deepEqual(
    (['organizations', 'roles', 'relationships', 'successions'] as const).map((kind) =>
      deletions(restored, kind),
    ),
    [['B1 3'], ['20 3'], ['21 3'], ['22 3']],
  );
});

it('rollbacks go back edition by edition, or to any edition that is kept', async (context) => {
  const { store, publish } = createImports(context);
  for (const name of ['ONE', 'TWO', 'THREE']) await publish([{ ...A, name }]);
  const went = async (to?: number) => {
    const { edition, from } = await rollBack(store, to);
    return [edition.number, from.number, edition.source];
  };
  assert.deepEqual(await went(), [4, 2, 'edition 2 again: test']);
  assert.deepEqual(await went(), [5, 1, 'edition 1 again: test']);
  await assert.rejects(went(), /^SourceError: There is no edition below 1 to roll back to\.$/);
  assert.deepEqual(await went(3), [6, 3, 'edition 3 again: test']);
  assert.deepEqual(await went(4), [7, 4, 'edition 2 again: test'], 'the content of edition 2');
  await assert.rejects(went(7), /Edition 7 is current already/);
  await assert.rejects(went(9), { name: 'EditionGoneError' });
});

it('a rollback keeps every edition, and is refused to one that is no longer kept', async (context) => {
  const { store, publish } = createImports(context);
  await assert.rejects(rollBack(store), /There is no edition yet/);
  for (const name of ['ONE', 'TWO', 'THREE']) await publish([{ ...A, name }], { keep: 2 });
  await rollBack(store);
  const kept = async () =>
    (await store.list()).flatMap(({ isOnDisk, number }) => (isOnDisk ? [number] : []));
  assert.deepEqual(await kept(), [2, 3, 4]);
  await assert.rejects(rollBack(store), /Edition 1 is no longer kept/);
  await (await store.begin()).discard();
  assert.equal((await store.current())?.number, 4);
});

it('a rollback to a damaged edition is refused, and a rollback from one warns', async (context) => {
  const { store, publish, damage, open } = createImports(context);
  for (const name of ['ONE', 'TWO', 'TWO']) await publish([{ ...A, name }, B]);
  damage(1, 'rows.values.bin');
  await assert.rejects(rollBack(store, 1), { kind: 'damaged' });
  assert.equal((await store.current())?.number, 3);
  const current = damage(3, 'rows.values.bin');
  const { problem = '' } = await rollBack(store, 2);
  assert.ok(problem.startsWith(`Edition 3 cannot be read: ${current}: its checksum is wrong`));
  assert.match(problem, /The new edition is compared with edition 2\.$/);
  assert.deepEqual(changes(await open(4)), ['A1 2', 'B1 1']);
});
