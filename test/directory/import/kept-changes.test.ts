/** What an edition keeps of those before it: when records changed last, and what was deleted. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import type { DeletedKind } from '../../../src/directory/edition/kept-changes.ts';
import type { CodeSystems, SourceRecord } from '../../../src/directory/record/record.ts';
import { organization, role } from '../records.ts';
import { changes, createImports, deletions, record } from './importing.ts';

const reference = (given: SourceRecord): SourceRecord => ({ ...given, isReferenceOnly: true });

const KINDS: readonly DeletedKind[] = ['organizations', 'roles', 'relationships', 'successions'];
const allDeletions = (edition: Edition) => KINDS.map((kind) => deletions(edition, kind));
const NOTHING: readonly string[][] = [[], [], [], []];

it('a record keeps the edition in which it changed last, also in its links', async (context) => {
  const { publish } = createImports(context);
  const [a, b, c] = [record('A1', 1), record('B1', 2), record('C1', 3)];
  const renamed = { ...b, name: 'RENAMED' };
  const first = await publish([a, b]);
  assert.deepEqual(changes(first), ['A1 1', 'B1 1']);
  assert.equal(first.changedIn(0).publishedAt, first.publishedAt);
  const second = await publish([a, renamed, c]);
  assert.deepEqual(changes(second), ['A1 1', 'B1 2', 'C1 2']);
  assert.equal(second.changedIn(0).publishedAt, first.publishedAt);
  const closed = a.relationships!.map((one) => ({ ...one, isActive: false }));
  const third = await publish([{ ...a, relationships: closed }, renamed, c]);
  assert.deepEqual(changes(third), ['A1 3', 'B1 2', 'C1 2']);
  assert.deepEqual(allDeletions(third), NOTHING);
});

it('an organisation keeps its former names, the last one first, until it has the name again', async (context) => {
  const { publish } = createImports(context);
  const [a, b] = [record('A1', 1), record('B1', 2)];
  const named = async (name: string | undefined, others: readonly SourceRecord[] = [b]) => {
    const { name: _, ...nameless } = a;
    const edition = await publish([name === undefined ? nameless : { ...a, name }, ...others]);
    return [...edition.formerNames()];
  };
  assert.deepEqual(await named('ONE'), []);
  assert.deepEqual(await named('TWO'), [['A1', ['ONE']]]);
  assert.deepEqual(await named('TWO', [{ ...b, name: 'OTHER' }]), [
    ['A1', ['ONE']],
    ['B1', [b.name]],
  ]);
  assert.deepEqual(await named('THREE', []), [['A1', ['TWO', 'ONE']]]);
  assert.deepEqual(await named('ONE', [b]), [['A1', ['THREE', 'TWO']]]);
  assert.deepEqual(await named(undefined, [b]), [['A1', ['ONE', 'THREE', 'TWO']]]);
  assert.deepEqual([...(await publish([b])).formerNames()], []);
});

it('a record changes with the display of a code that it has', async (context) => {
  const { publish } = createImports(context);
  const coded = (code: string, roleCode: string, type: string, recordClass: string) => ({
    ...organization(code, { roles: [role(roleCode, { isPrimary: true })], recordClass }),
    relationships: [{ type, isActive: true, periods: [], target: { code: 'X1' } }],
  });
  const records = [coded('A1', '76', '4', '1'), coded('B1', '177', '5', '2')];
  await publish(records);
  const renamed = (code: string) => [{ code, display: 'RENAMED' }];
  const systems: readonly Partial<CodeSystems>[] = [
    { roles: renamed('76') },
    { recordClasses: renamed('2') },
    { relationships: renamed('4') },
  ];
  const kept: Partial<CodeSystems> = { roles: [], recordClasses: [], relationships: [] };
  await publish(records, { codeSystems: kept });
  const seen = [];
  for (const each of systems) {
    const codeSystems = Object.assign(kept, each);
    seen.push(changes(await publish(records, { codeSystems, onlyChanges: true })));
  }
  assert.deepEqual(seen, [
    ['A1 3', 'B1 2'],
    ['A1 3', 'B1 4'],
    ['A1 5', 'B1 4'],
  ]);
  assert.equal((await publish(records, { codeSystems: kept, onlyChanges: true })).number, 5);
});

it('a record changes when the target of its relationship gets a record, or loses it', async (context) => {
  const { publish } = createImports(context);
  const [a, b, x] = [record('A1', 1), { ...record('B1', 2), relationships: [] }, record('X1', 3)];
  await publish([a, b]);
  assert.deepEqual(changes(await publish([a, b, reference(x)])), ['A1 2', 'B1 1', 'X1 2']);
  assert.deepEqual(changes(await publish([a, b, x])), ['A1 2', 'B1 1', 'X1 3']);
  const archived = await publish([a, b], { archived: new Set(['X1']) });
  assert.deepEqual(changes(archived), ['A1 4', 'B1 1']);
});

it('editions list what they deleted, and what those before them did', async (context) => {
  const { publish } = createImports(context);
  const [a, b, c] = [record('A1', 1), record('B1', 2), record('C1', 3)];
  await publish([a, b, c]);
  const second = await publish([{ ...a, relationships: [] }, c]);
  assert.deepEqual(allDeletions(second), [['B1 2'], ['20 2'], ['11 2', '21 2'], ['22 2']]);
  const third = await publish([{ ...a, relationships: [] }]);
  assert.deepEqual(allDeletions(third), [
    ['B1 2', 'C1 3'],
    ['20 2', '30 3'],
    ['11 2', '21 2', '31 3'],
    ['22 2', '32 3'],
  ]);
  const fourth = await publish([a, b, c]);
  assert.deepEqual(allDeletions(fourth), NOTHING);
});

it('what moves between records, sections or to the archive is not deleted', async (context) => {
  const { publish } = createImports(context);
  const [a, b, c] = [record('A1', 1), record('B1', 2), record('C1', 3)];
  await publish([a, b, c]);
  const both = { ...a, relationships: [...a.relationships!, ...b.relationships!] };
  const moved = await publish([both, { ...b, relationships: [] }, reference(c)]);
  assert.deepEqual(allDeletions(moved), NOTHING);
  assert.deepEqual(changes(moved), ['A1 2', 'B1 2', 'C1 2']);
  const archived = await publish([both], { archived: new Set(['B1', 'C1']) });
  assert.deepEqual(allDeletions(archived), NOTHING);
  await publish([a, b, c]);
  const unread = await publish([a], { archived: undefined });
  assert.deepEqual(allDeletions(unread), NOTHING);
  await publish([a, b, c]);
  const other = await publish([a], { archived: new Set(['B1']) });
  assert.deepEqual(allDeletions(other), [['C1 7'], ['30 7'], ['31 7'], ['32 7']]);
});

it('after an edition that does not know links, every record has changed', async (context) => {
  const { publish } = createImports(context);
  const [a, b] = [record('A1', 1), record('B1', 2)];
  await publish([a, b]);
  const without = await publish([a], { hasLinks: false });
  assert.equal(without.hasLinks, false);
  assert.deepEqual(allDeletions(without), [['B1 2'], [], [], []]);
  const again = await publish([a, b]);
  assert.deepEqual(changes(again), ['A1 3', 'B1 3']);
  assert.deepEqual(allDeletions(again), NOTHING);
});

it('an import of changes only publishes changed links and reference-only records', async (context) => {
  const { publish } = createImports(context);
  const onlyChanges = { onlyChanges: true };
  const [a, b] = [record('A1', 1), reference(record('B1', 2))];
  await publish([a, b]);
  assert.equal((await publish([a, b], onlyChanges)).number, 1);
  assert.equal((await publish([{ ...a, successions: [] }, b], onlyChanges)).number, 2);
  const third = await publish([{ ...a, successions: [] }], onlyChanges);
  assert.equal(third.number, 3);
  assert.deepEqual(allDeletions(third), [['B1 3'], ['20 3'], ['21 3'], ['12 2', '22 3']]);
});
