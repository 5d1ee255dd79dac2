/** Transactions of clients: what every store of order responses does with them. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ExpectedResource } from '../../src/fhir/stored/match.ts';
import type { Preconditions } from '../../src/fhir/stored/preconditions.ts';
import type { Repository, TransactionCall } from '../../src/fhir/stored/repository.ts';
import { conditionOf } from './conditions.ts';
import {
  ACCESS,
  type AuditedPlace,
  createOrder,
  type IdentifierEntry,
  identifierOf,
  type RepositoryPlace,
  TYPE,
  textOf,
  updateOrder,
} from './repository.contract.ts';

interface CreateOptions {
  readonly ifNoneExist?: IdentifierEntry;
  readonly expected?: ExpectedResource;
}

function createCall(
  id: string,
  entries: readonly IdentifierEntry[] = [],
  { ifNoneExist, expected }: CreateOptions = {},
): TransactionCall {
  const condition =
    ifNoneExist && conditionOf({ type: 'token', field: ifNoneExist.field, values: [ifNoneExist] });
  const creation = { type: TYPE, id, text: textOf(id, entries), entries };
  return {
    kind: 'create',
    args: [{ ...creation, ...(condition && { ifNoneExist: condition }) }, ACCESS],
    ...(expected !== undefined && { expected }),
  };
}

function updateCall(
  id: string,
  preconditions: Preconditions = {},
  expected?: ExpectedResource,
): TransactionCall {
  const update = { type: TYPE, id, text: textOf(id, [], 'new'), entries: [], preconditions };
  return {
    kind: 'update',
    args: [update, { ...ACCESS, interaction: 'update' }],
    ...(expected !== undefined && { expected }),
  };
}

function matchCall(identifier: IdentifierEntry, expected?: ExpectedResource): TransactionCall {
  const { field } = identifier;
  const condition = conditionOf({ type: 'token', field, values: [identifier] });
  return {
    kind: 'findMatch',
    args: [
      { type: TYPE, condition },
      { ...ACCESS, interaction: 'search-type' },
    ],
    ...(expected !== undefined && { expected }),
  };
}

function deleteCall(id: string, preconditions: Preconditions = {}): TransactionCall {
  const deletion = { type: TYPE, id, preconditions };
  return { kind: 'delete', args: [deletion, { ...ACCESS, interaction: 'delete' }] };
}

function readCall(id: string): TransactionCall {
  return {
    kind: 'read',
    args: [
      { type: TYPE, id },
      { ...ACCESS, interaction: 'read' },
    ],
  };
}

const ONE = identifierOf('1');

/** Each is refused after `a` exists in version 1, and two resources have the identifier 2. */
const REFUSED: readonly (readonly [what: string, call: TransactionCall, outcome: string])[] = [
  ['an update of an old version', updateCall('a', { ifMatch: ['7'] }), 'conflict'],
  ['an update of nothing', updateCall('nobody'), 'absent'],
  ['a delete of an old version', deleteCall('a', { ifMatch: ['7'] }), 'conflict'],
  ['a delete of nothing with If-Match', deleteCall('nobody', { ifMatch: '*' }), 'absent'],
  ['a read of nothing', readCall('nobody'), 'absent'],
  ['a read of a deleted resource', readCall('deleted'), 'gone'],
  [
    'a create with several matches',
    createCall('new', [], { ifNoneExist: identifierOf('2') }),
    'several',
  ],
  ['a search with several matches', matchCall(identifierOf('2')), 'several'],
  ['a search without a match', matchCall(identifierOf('8')), 'absent'],
];

async function prepare(store: Repository): Promise<void> {
  await createOrder(store, 'a', [ONE]);
  await createOrder(store, 'b', [identifierOf('2')]);
  await createOrder(store, 'c', [identifierOf('2')]);
  await createOrder(store, 'deleted');
  await store.delete(
    { type: TYPE, id: 'deleted', preconditions: {} },
    { ...ACCESS, interaction: 'delete' },
  );
}

export function describeTransactions(makePlace: () => Promise<RepositoryPlace>): void {
  describe('a transaction in a repository', () => {
    let place: RepositoryPlace;
    let store: Repository;

    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
      await prepare(store);
    });
    afterEach(() => place.remove());

    const versionOf = async (id: string) =>
      (await store.read({ type: TYPE, id }, { ...ACCESS, interaction: 'read' }))?.version;

    it('makes all calls in their order, each after the changes before it', async () => {
      const result = await store.transact([
        createCall('new', [identifierOf('3')]),
        createCall('other', [], { ifNoneExist: identifierOf('3') }),
        updateCall('new', { ifMatch: ['1'] }),
        deleteCall('a'),
        deleteCall('nobody'),
        readCall('new'),
      ]);
      assert.ok(result.kind === 'done');
      assert.equal(result.writes, 3);
      const seen = result.answers.map(({ kind, value }) => [
        kind,
        value && 'kind' in value ? value.kind : value?.version,
      ]);
      assert.deepEqual(seen, [
        ['create', 'stored'],
        ['create', 'exists'],
        ['update', 'stored'],
        ['delete', 'stored'],
        ['delete', 'absent'],
        ['read', 2],
      ]);
      assert.deepEqual(await Promise.all(['new', 'other', 'a'].map(versionOf)), [2, undefined, 2]);
    });

    it('without calls succeeds', async () => {
      assert.deepEqual(await store.transact([]), { kind: 'done', answers: [], writes: 0 });
    });

    for (const [what, call] of REFUSED) {
      it(`changes nothing if it has ${what}, and says which call it was`, async () => {
        const before = await store.changes(
          { types: [TYPE], count: 20, lengthMax: 1e9, order: 'oldest-first' },
          { ...ACCESS, interaction: 'history-type' },
        );
        const result = await store.transact([
          createCall('first', [identifierOf('9')]),
          updateCall('a'),
          call,
          createCall('last'),
        ]);
        assert.ok(result.kind === 'failed');
        assert.deepEqual([result.at, result.answer.kind], [2, call.kind]);
        const after = await store.changes(
          { types: [TYPE], count: 20, lengthMax: 1e9, order: 'oldest-first' },
          { ...ACCESS, interaction: 'history-type' },
        );
        assert.deepEqual(after, before);
        assert.equal(await versionOf('first'), undefined);
        assert.equal(await versionOf('a'), 1);
        const again = await createOrder(store, 'again', [], identifierOf('9'));
        assert.equal(again.kind, 'stored', 'nothing is found by what was not stored');
      });
    }

    it('changes nothing if creates find other ids than expected, and names all of them', async () => {
      const calls = (id: string) => [
        createCall('new', [], { ifNoneExist: ONE, expected: { id } }),
        createCall('other', [], { expected: { id: 'other' } }),
        createCall('third', [], { ifNoneExist: ONE, expected: { id } }),
      ];
      assert.deepEqual(await store.transact(calls('new')), {
        kind: 'moved',
        resources: [
          { at: 0, id: 'a', version: 1 },
          { at: 2, id: 'a', version: 1 },
        ],
      });
      assert.equal(await versionOf('other'), undefined);
      assert.equal((await store.transact(calls('a'))).kind, 'done');
      await updateOrder(store, 'a');
      const [call] = calls('a');
      assert.ok(call);
      const gone = await store.transact([call]);
      assert.deepEqual(gone, { kind: 'moved', resources: [{ at: 0, id: 'new', version: 1 }] });
    });

    it('changes nothing if it writes or finds other versions than expected', async () => {
      const calls = (version: number) => [
        updateCall('a', {}, { id: 'a', version }),
        createCall('new', [], { expected: { id: 'new', version: 1 } }),
        createCall('other', [], { ifNoneExist: identifierOf('3'), expected: { id: 'other' } }),
      ];
      assert.deepEqual(await store.transact(calls(1)), {
        kind: 'moved',
        resources: [{ at: 0, id: 'a', version: 2 }],
      });
      assert.equal(await versionOf('a'), 1);
      assert.equal((await store.transact(calls(2))).kind, 'done');
    });

    it('finds the one match of a search after its other calls', async () => {
      const three = identifierOf('3');
      const calls = (id: string) => [createCall('new', [three]), matchCall(three, { id })];
      assert.deepEqual(await store.transact(calls('')), {
        kind: 'moved',
        resources: [{ at: 1, id: 'new', version: 1 }],
      });
      assert.equal(await versionOf('new'), undefined);
      const result = await store.transact(calls('new'));
      assert.ok(result.kind === 'done');
      assert.equal(result.writes, 1);
      assert.deepEqual(result.answers[1]?.value, { kind: 'found', id: 'new', version: 1 });
    });

    it('does not touch other calls at the same time', async () => {
      const results = await Promise.allSettled([
        createOrder(store, 'before'),
        store.transact([createCall('x'), updateCall('nobody')]),
        store.transact([createCall('y'), createCall('y')]), // a fault of the caller
        store.transact([createCall('z'), updateCall('a', { ifMatch: ['1'] })]),
        updateOrder(store, 'a', { ifMatch: ['1'] }),
        createOrder(store, 'after'),
      ]);
      const kinds = results.map((each) =>
        each.status === 'fulfilled' ? each.value.kind : each.status,
      );
      assert.deepEqual(kinds, ['stored', 'failed', 'rejected', 'done', 'conflict', 'stored']);
      const versions = await Promise.all(['before', 'x', 'y', 'z', 'a', 'after'].map(versionOf));
      assert.deepEqual(versions, [1, undefined, undefined, 1, 2, 1]);
    });

    it('stores one of many that create the same resource', async () => {
      const three = identifierOf('3');
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          store.transact([
            createCall(`id-${at}`, [three], { ifNoneExist: three, expected: { id: `id-${at}` } }),
          ]),
        ),
      );
      assert.equal(results.filter(({ kind }) => kind === 'done').length, 1);
      assert.equal(results.filter(({ kind }) => kind === 'moved').length, 19);
    });
  });
}

/** For a store whose audit log can be read. */
export function describeAuditedTransactions(makePlace: () => Promise<AuditedPlace>): void {
  describe('the audit log of transactions', () => {
    let place: AuditedPlace;

    beforeEach(async () => {
      place = await makePlace();
      await prepare(place.store);
    });
    afterEach(() => place.remove());

    /** What was recorded since. */
    const recorded = async (action: () => Promise<unknown>) => {
      const before = (await place.entries()).length;
      await action();
      return (await place.entries())
        .slice(before)
        .map(({ interaction, outcome, resource }) => [interaction, outcome, resource]);
    };

    it('has an entry of each call', async () => {
      const calls = [
        createCall('new', [identifierOf('3')]),
        updateCall('a'),
        deleteCall('b'),
        readCall('c'),
        matchCall(identifierOf('3')),
      ];
      assert.deepEqual(await recorded(() => place.store.transact(calls)), [
        ['create', 'stored', 'new'],
        ['update', 'stored', 'a'],
        ['delete', 'stored', 'b'],
        ['read', 'found', 'c'],
        ['search-type', 'found', undefined],
      ]);
      assert.deepEqual(await place.findings(), []);
    });

    for (const [what, call, outcome] of REFUSED) {
      it(`has only the refusal of ${what}, and verifies`, async () => {
        const entries = await recorded(() =>
          Promise.all([
            createOrder(place.store, 'before'),
            place.store.transact([createCall('first'), readCall('a'), call, createCall('last')]),
            createOrder(place.store, 'after'),
          ]),
        );
        const [first, refusal, last, ...more] = entries;
        assert.deepEqual(
          [first, last, more],
          [['create', 'stored', 'before'], ['create', 'stored', 'after'], []],
        );
        assert.deepEqual(refusal?.slice(0, 2), [call.args[1].interaction, outcome]);
        assert.deepEqual(await place.findings(), []);
      });
    }

    it('has nothing of a transaction that has to be sent again', async () => {
      const call = createCall('new', [], { ifNoneExist: ONE, expected: { id: 'new' } });
      assert.deepEqual(await recorded(() => place.store.transact([readCall('a'), call])), []);
      assert.deepEqual(await place.findings(), []);
    });

    it('verifies if the first entries of all are those of a refused transaction', async () => {
      const fresh = await makePlace();
      try {
        await fresh.store.transact([createCall('x', [identifierOf('5')]), readCall('nobody')]);
        assert.equal((await fresh.entries()).length, 1);
        await createOrder(fresh.store, 'y', [identifierOf('5')], identifierOf('5'));
        const found = await createOrder(fresh.store, 'z', [], identifierOf('5'));
        assert.ok(found.kind === 'exists' && found.stored.id === 'y');
        assert.deepEqual(await fresh.findings(), []);
      } finally {
        await fresh.remove();
      }
    });
  });
}
