/** What every repository must do for clients that follow changes. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type ChangesRequest, type Repository, START_POSITION } from '../../src/fhir/repository.ts';
import {
  ACCESS,
  createOrder,
  type RepositoryPlace,
  TYPE,
  updateOrder,
} from './repository.contract.ts';

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
          { ...ACCESS, interaction: 'history-type' },
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

    it('is followed without a gap or a repeat while many write', async () => {
      const seen: string[] = [];
      const written = new Set<string>();
      let isDone = false;
      const follow = async () => {
        let position = START_POSITION;
        for (let isLast = false; ; ) {
          const page = await store.changes(
            { types: [TYPE], count: 7, lengthMax: 1e9, order: 'oldest-first', position },
            { ...ACCESS, interaction: 'history-type' },
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
