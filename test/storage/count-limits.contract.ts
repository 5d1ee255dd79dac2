/** What every store must do with the limits of a type: how many resources there can be. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Access } from '../../src/fhir/audit/audit.ts';
import type { Repository, TransactionCall } from '../../src/fhir/stored/repository.ts';
import { ACCESS, type AuditedPlace, TYPE, textOf } from './repository.contract.ts';

const LIMITS = { total: 4, perClient: 2 };

export function describeCountLimits(makePlace: () => Promise<AuditedPlace>): void {
  describe('a repository with limits', () => {
    let place: AuditedPlace;
    let store: Repository;
    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
    });
    afterEach(() => place.remove());

    const by = (client: string, interaction: Access['interaction']): Access => ({
      ...ACCESS,
      identity: { subject: 'dr-1', client },
      interaction,
    });
    const creationOf = (id: string) => ({
      type: TYPE,
      id,
      text: textOf(id),
      entries: [],
      limits: LIMITS,
    });
    const create = async (id: string, client: string) =>
      (await store.create(creationOf(id), by(client, 'create'))).kind;
    const update = async (id: string, client: string) =>
      store.update({ ...creationOf(id), preconditions: {} }, by(client, 'update'));
    const erase = (id: string, client: string) =>
      store.delete({ type: TYPE, id, preconditions: {} }, by(client, 'delete'));
    const tooMany = (limit: keyof typeof LIMITS) => ({ kind: 'too-many', limit });

    it('refuses one more resource of a client, and of all clients', async () => {
      assert.deepEqual(
        [await create('a', 'x'), await create('b', 'x'), await create('c', 'x')],
        ['stored', 'stored', 'too-many'],
      );
      assert.equal(await create('d', 'y'), 'stored');
      assert.equal(await create('e', 'z'), 'stored');
      const refused = await store.create(creationOf('f'), by('z', 'create'));
      assert.deepEqual(refused, tooMany('total'));
      assert.equal((await update('a', 'x')).kind, 'stored', 'an update adds no resource');
      const entries = (await place.entries()).filter(({ outcome }) => outcome === 'invalid');
      assert.deepEqual(
        entries.map(({ resourceType, resource }) => [resourceType, resource]),
        [
          [TYPE, undefined],
          [TYPE, undefined],
        ],
      );
      assert.deepEqual(await place.findings(), []);
    });

    it('does not count deleted resources, and counts a restored one for its creator', async () => {
      await create('a', 'x');
      await create('b', 'x');
      await erase('a', 'x');
      assert.equal(await create('c', 'x'), 'stored');
      assert.deepEqual(await update('a', 'y'), tooMany('perClient'));
      await erase('b', 'x');
      assert.equal((await update('a', 'y')).kind, 'stored');
    });

    it('counts a resource for its creator, also after a change by another client', async () => {
      for (const id of ['a', 'b']) await create(id, 'x');
      const { limits: _, ...unlimited } = { ...creationOf('a'), preconditions: {} };
      const calls: TransactionCall[] = [
        { kind: 'update', args: [unlimited, by('server', 'update')] },
        { kind: 'create', args: [creationOf('c'), by('x', 'create')] },
      ];
      const { kind, ...refused } = await store.transact(calls);
      assert.equal(kind, 'failed');
      assert.deepEqual(refused, { at: 1, answer: { kind: 'create', value: tooMany('perClient') } });
    });

    it('counts what the calls of a batch and of a transaction have written before', async () => {
      const kinds = await Promise.all(['a', 'b', 'c'].map((id) => create(id, 'x')));
      assert.deepEqual(kinds.toSorted(), ['stored', 'stored', 'too-many']);
      const calls = ['d', 'e', 'f'].map(
        (id): TransactionCall => ({ kind: 'create', args: [creationOf(id), by('y', 'create')] }),
      );
      assert.deepEqual(await store.transact(calls), {
        kind: 'failed',
        at: 2,
        answer: { kind: 'create', value: tooMany('total') },
      });
      const deletion: TransactionCall = {
        kind: 'delete',
        args: [{ type: TYPE, id: 'a', preconditions: {} }, by('x', 'delete')],
      };
      const freed = await store.transact([deletion, ...calls]);
      assert.equal(freed.kind, 'failed', 'one client still has its own limit');
      assert.equal((await store.transact([deletion, ...calls.slice(1)])).kind, 'done');
    });
  });
}
