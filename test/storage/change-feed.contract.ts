/** What every repository must do for clients that follow changes. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  type ChangesRequest,
  type Repository,
  START_POSITION,
} from '../../src/fhir/stored/repository.ts';
import {
  ACCESS,
  type AuditedPlace,
  createOrder,
  type RepositoryPlace,
  TYPE,
  updateOrder,
} from './repository.contract.ts';

const AS_HISTORY = { ...ACCESS, interaction: 'history-type' } as const;

export function describeChangeFeed(makePlace: () => Promise<RepositoryPlace>): void {
  describe('the change feed of a repository', () => {
    let place: RepositoryPlace;
    let store: Repository;

    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
    });
    afterEach(() => place.remove());

    it('shows all versions of types in the order of writing, page by page', async () => {
      const changes = (request: Partial<ChangesRequest>) =>
        store.changes(
          { types: [TYPE], count: 2, lengthMax: 1e9, order: 'oldest-first', ...request },
          AS_HISTORY,
        );
      const page = async (request: Partial<ChangesRequest>) => {
        const found = await changes(request);
        assert.ok(found.kind === 'found');
        const names = found.versions.map(({ type, id, version }) => `${type}/${id}/${version}`);
        return { ...found, names, last: found.versions.at(-1)?.position };
      };
      const empty = await page({});
      assert.deepEqual([empty.names, empty.hasMore, empty.end], [[], false, START_POSITION]);
      await createOrder(store, 'a');
      await createOrder(store, 'b');
      await createOrder(store, 'a', [], undefined, 'Order');
      await updateOrder(store, 'a');
      const first = await page({ position: empty.end });
      assert.deepEqual([first.names, first.hasMore], [[`${TYPE}/a/1`, `${TYPE}/b/1`], true]);
      const second = await page({ position: first.last ?? '' });
      assert.deepEqual([second.names, second.hasMore], [[`${TYPE}/a/2`], false]);
      assert.equal(second.last, second.end);
      const newest = await page({ order: 'newest-first', types: [TYPE, 'Order'] });
      assert.deepEqual([newest.names, newest.hasMore], [[`${TYPE}/a/2`, 'Order/a/1'], true]);
      const older = await page({ order: 'newest-first', position: newest.last ?? '' });
      assert.deepEqual([older.names, older.hasMore], [[`${TYPE}/b/1`, `${TYPE}/a/1`], false]);
      const short = await page({ lengthMax: 1 });
      assert.deepEqual([short.names, short.hasMore], [[`${TYPE}/a/1`], true]);
      assert.deepEqual((await page({ sinceMs: Date.UTC(12_000, 0) })).names, []);
      assert.equal((await page({ sinceMs: 0, count: 9 })).names.length, 3);
      for (const position of ['4711', '1', 'x']) {
        const missing = await changes({ position });
        if (missing.kind === 'found')
          assert.ok(position === '1', 'only memory has such a position');
      }
    });

    it('shows each version as soon as its write was acknowledged, while many write', async () => {
      const write = async (writer: number) => {
        for (let at = 0; at < 6; at++) {
          const id = `${writer}-${at}`;
          await createOrder(store, id);
          const page = await store.changes(
            { types: [TYPE], count: 100, lengthMax: 1e9, order: 'newest-first' },
            AS_HISTORY,
          );
          assert.ok(page.kind === 'found');
          assert.ok(page.versions.some((version) => version.id === id));
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    });

    it('is followed without a gap or a repeat while many write', async () => {
      const seen: string[] = [];
      const written = new Set<string>();
      let isDone = false;
      const follow = async () => {
        let position = START_POSITION;
        for (let isLast = false; ; ) {
          const page = await store.changes(
            { types: [TYPE], count: 7, lengthMax: 1e9, order: 'oldest-first', position },
            AS_HISTORY,
          );
          assert.ok(page.kind === 'found');
          seen.push(...page.versions.map(({ id, version }) => `${id}/${version}`));
          position = page.versions.at(-1)?.position ?? position;
          if (page.versions.length > 0) continue;
          if (isLast) return;
          isLast = isDone;
          await setImmediate();
        }
      };
      const write = async (writer: number) => {
        for (let at = 0; at < 12; at++) {
          await createOrder(store, `${writer}-${at}`);
          written.add(`${writer}-${at}/1`);
          await updateOrder(store, `${writer}-${at}`);
          written.add(`${writer}-${at}/2`);
          if (at % 3 === 0) await setImmediate();
        }
      };
      const following = follow();
      await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
      isDone = true;
      await following;
      assert.equal(seen.length, written.size);
      assert.deepEqual(new Set(seen), written);
    });
  });
}

export function describeAuditedChanges(makePlace: () => Promise<AuditedPlace>): void {
  it('a page of changes is recorded for each type with what it returned', async (context) => {
    const place = await makePlace();
    context.after(() => place.remove());
    const { store } = place;
    const request = { count: 9, lengthMax: 1e9, order: 'oldest-first' } as const;
    await store.changes({ ...request, types: [TYPE] }, AS_HISTORY);
    for (const id of ['a', 'b']) await createOrder(store, id);
    await createOrder(store, 'c', [], undefined, 'Order');
    await updateOrder(store, 'a');
    await store.changes({ ...request, types: [TYPE, 'Order'] }, AS_HISTORY);
    await store.changes({ ...request, types: [TYPE], position: '4711-00' }, AS_HISTORY);
    const entries = (await place.entries()).filter(
      ({ interaction }) => interaction === 'history-type',
    );
    assert.deepEqual(
      entries.map(({ outcome, resourceType, count, resources }) => [
        outcome,
        resourceType,
        count,
        resources,
      ]),
      [
        ['found', undefined, 0, undefined],
        ['found', TYPE, 3, ['a', 'b']],
        ['found', 'Order', 1, ['c']],
        ['absent', undefined, undefined, undefined],
      ],
    );
  });
}
