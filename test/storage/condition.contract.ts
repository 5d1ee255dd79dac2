/** What every store records of the conditions of writes. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Access } from '../../src/fhir/audit/audit.ts';
import { conditionOf, criterionOf } from './conditions.ts';
import {
  ACCESS,
  type AuditedPlace,
  createOrder,
  identifierOf,
  TYPE,
  textOf,
} from './repository.contract.ts';

export function describeConditions(makePlace: () => Promise<AuditedPlace>): void {
  describe('the audit log', () => {
    let place: AuditedPlace;

    beforeEach(async () => {
      place = await makePlace();
    });
    afterEach(() => place.remove());

    it('records the condition of a write as it records a search', async () => {
      const { store } = place;
      const one = identifierOf('1');
      const isOne = conditionOf(criterionOf(one));
      const update = { type: TYPE, text: textOf('x'), preconditions: {}, condition: isOne };
      await createOrder(store, 'a', [one], one);
      await createOrder(store, 'b', [], one);
      await store.updateMatching({ ...update, id: 'c', entries: [one] }, ACCESS);
      await store.updateMatching({ ...update, id: 'c', sentId: 'y', entries: [] }, ACCESS);
      await createOrder(store, 'd', [one]);
      await createOrder(store, 'e', [], one);
      const undone = await store.transact([
        { kind: 'create', args: [{ type: TYPE, id: 'f', text: textOf('f'), entries: [] }, ACCESS] },
        {
          kind: 'create',
          args: [
            { type: TYPE, id: 'g', text: textOf('g'), entries: [], ifNoneExist: isOne },
            ACCESS,
          ],
        },
      ]);
      assert.equal(undone.kind, 'failed');
      const seen = (await place.entries()).map((entry) => {
        const { outcome, resource, resources, parameters, parametersDigest } = entry;
        return [outcome, resource ?? resources?.toSorted(), parameters, parametersDigest?.length];
      });
      const searched = [isOne.parameters, 64];
      assert.deepEqual(seen, [
        ['stored', 'a', ...searched],
        ['exists', 'a', ...searched],
        ['stored', 'a', ...searched],
        ['invalid', ['a'], ...searched],
        ['stored', 'd', undefined, undefined],
        ['several', ['a', 'd'], ...searched],
        ['several', ['a', 'd'], ...searched],
      ]);
    });

    it('lets only the creator write where the service asks for it', async () => {
      const { store } = place;
      const other = { ...ACCESS, identity: { subject: 'dr-1', client: 'other' } };
      const one = identifierOf('1');
      await createOrder(store, 'a', [one]);
      const preconditions = { isCreator: true } as const;
      const update = { type: TYPE, text: textOf('a'), entries: [one], preconditions };
      const condition = conditionOf(criterionOf(one));
      const results = [
        await store.update({ ...update, id: 'a' }, other),
        await store.updateMatching({ ...update, id: 'c', condition }, other),
        await store.delete({ type: TYPE, id: 'a', preconditions }, other),
        await store.update({ ...update, id: 'a' }, ACCESS),
        await store.updateMatching({ ...update, id: 'c', condition }, ACCESS),
      ];
      const kinds = results.map(({ kind }) => kind);
      assert.deepEqual(kinds, ['not-creator', 'not-creator', 'not-creator', 'stored', 'stored']);
      const create = { type: TYPE, id: 'b', text: textOf('b'), entries: [] };
      const both = (access: Access) =>
        store.transact([
          { kind: 'create', args: [create, other] },
          { kind: 'update', args: [{ ...update, id: 'b', text: textOf('b') }, access] },
        ]);
      assert.equal((await both(ACCESS)).kind, 'failed');
      assert.equal((await both(other)).kind, 'done');
    });
  });
}
