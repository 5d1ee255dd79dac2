/** What every store of editions must do: a suite that each kind of store runs. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { NamedArrays } from '../../src/directory/arrays/arrays.ts';
import type { Difference } from '../../src/directory/edition/difference.ts';
import {
  type EditionDescription,
  type EditionDraft,
  EditionGoneError,
  type EditionStore,
} from '../../src/directory/edition/edition-store.ts';

/** A separate place for editions, empty at first. */
export interface EditionPlace {
  /** Opens the place again, as another process would. */
  open(now: () => Date): EditionStore;
  /** Removes all stored data. Everything that was opened has been closed. */
  remove(): void | Promise<void>;
}

export const NO_DIFFERENCE: Difference = { added: [], changed: [], removed: [], byRole: [] };

/** Arrays of every type and of awkward lengths, which differ by `seed`. */
export function arraysOf(seed: number): NamedArrays {
  return {
    'records.bytes': Uint8Array.from({ length: 1_300_001 }, (_, at) => at * seed),
    'name.order': Uint16Array.from({ length: 3 }, (_, at) => 65_535 - at - seed),
    'name.rank-2': Uint32Array.from({ length: 1_001 }, (_, at) => 0xffff_ffff - at * seed),
    changed: Float64Array.of(seed, Math.PI, -0, Number.NaN),
    nothing: new Uint32Array(0),
  };
}

export function descriptionOf(seed: number, difference = NO_DIFFERENCE): EditionDescription {
  const publicationDate = `2025-01-${String(seed).padStart(2, '0')}`;
  return { publicationDate, source: `release-${seed}.zip`, records: 1_000 + seed, difference };
}

export async function publishEdition(store: EditionStore, seed: number, keep = 3) {
  const draft = await store.begin();
  for (const [name, array] of Object.entries(arraysOf(seed))) {
    await draft.write(name, array);
  }
  return await draft.publish(descriptionOf(seed), { keep });
}

/** One quick to write, for tests that are not about its arrays. */
export async function smallEdition(store: EditionStore, seed: number, keep = 3) {
  const draft = await store.begin();
  await draft.write('small', Uint32Array.of(seed, 2 * seed));
  return await draft.publish(descriptionOf(seed), { keep });
}

export function describeEditionStore(makePlace: () => EditionPlace | Promise<EditionPlace>): void {
  describe('a store of editions', () => {
    let place: EditionPlace;
    let clock: Date;
    let opened: EditionStore[];
    let store: EditionStore;

    const open = () => {
      const another = place.open(() => clock);
      opened.push(another);
      return another;
    };
    const numbersOnDisk = async () =>
      (await store.list()).flatMap(({ isOnDisk, number }) => (isOnDisk ? [number] : []));

    beforeEach(async () => {
      clock = new Date('2025-02-01T10:00:00Z');
      place = await makePlace();
      opened = [];
      store = open();
    });
    afterEach(async () => {
      for (const each of opened) {
        await each.close();
      }
      await place.remove();
    });

    it('has no edition at first', async () => {
      assert.equal(await store.current(), undefined);
      assert.deepEqual(await store.list(), []);
      assert.equal(await store.differences(1), undefined);
      await assert.rejects(() => store.load(1), EditionGoneError);
    });

    it('publishes what was drafted, with the times of its beginning and its publishing', async () => {
      const draft = await store.begin();
      clock = new Date('2025-02-01T10:00:20.5Z');
      const difference = { ...NO_DIFFERENCE, added: ['A1', 'B2'], removed: ['C3'] };
      const published = await draft.publish(descriptionOf(7, difference), { keep: 3 });
      assert.deepEqual(published, {
        number: 1,
        publicationDate: '2025-01-07',
        source: 'release-7.zip',
        records: 1_007,
        importedAt: '2025-02-01T10:00:00.000Z',
        publishedAt: '2025-02-01T10:00:20.500Z',
        added: 2,
        changed: 0,
        removed: 1,
        isCurrent: true,
        isOnDisk: true,
      });
      assert.deepEqual(await store.current(), published);
      assert.deepEqual(await store.list(), [published]);
    });

    it('loads every array as it was written, in shared memory', async () => {
      await publishEdition(store, 3);
      const loaded = await open().load(1);
      assert.deepEqual({ ...loaded }, arraysOf(3));
      for (const array of Object.values(loaded)) {
        assert.ok(array.buffer instanceof SharedArrayBuffer);
      }
    });

    it('writes the part of a buffer that an array shows', async () => {
      const draft = await store.begin();
      const whole = Uint16Array.of(1, 2, 3, 4, 5);
      await draft.write('part', whole.subarray(1, 4));
      await draft.write('shared', new Uint32Array(new SharedArrayBuffer(8), 4));
      whole.fill(9);
      await draft.publish(descriptionOf(1), { keep: 3 });
      assert.deepEqual(
        { ...(await store.load(1)) },
        { part: Uint16Array.of(2, 3, 4), shared: Uint32Array.of(0) },
      );
    });

    it('shows nothing of a draft before it is published', async () => {
      await smallEdition(store, 1);
      const draft = await store.begin();
      await draft.write('name.order', Uint16Array.of(1));
      assert.equal((await store.list()).length, 1);
      assert.equal((await open().current())?.number, 1);
      await draft.discard();
    });

    it('tells an open store of an edition that another one published', async () => {
      const server = open();
      assert.equal(await server.current(), undefined);
      await smallEdition(store, 1);
      assert.equal((await server.current())?.number, 1);
      await smallEdition(store, 2);
      assert.equal((await server.current())?.number, 2);
    });

    it('reports the current edition, and each one that becomes current', async () => {
      await smallEdition(store, 1);
      const news: number[] = [];
      let wake = () => {};
      const end = open().watch(
        ({ number }) => {
          news.push(number);
          wake();
        },
        (error) => assert.fail(String(error)),
      );
      const until = async (count: number) => {
        while (news.length < count) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      };
      await until(1);
      await smallEdition(store, 2);
      await until(2);
      end();
      assert.deepEqual(news, [1, 2]);
    });

    it('forgets a discarded draft, and its number is not spent', async () => {
      const draft = await store.begin();
      await draft.write('name.order', Uint16Array.of(1));
      await draft.discard();
      await draft.discard();
      assert.deepEqual(await store.list(), []);
      assert.equal((await smallEdition(store, 1)).number, 1);
    });

    it('refuses a second draft while one is open, in any process', async () => {
      await smallEdition(store, 1);
      await smallEdition(store, 2);
      const other = open();
      const draft = await store.begin();
      const refused = {
        kind: 'locked',
        message: new RegExp(`process ${process.pid} is importing`),
      };
      await assert.rejects(() => store.begin(), refused);
      await assert.rejects(() => other.begin(), refused);
      await draft.write('name.order', Uint16Array.of(1));
      assert.equal((await draft.publish(descriptionOf(3), { keep: 3 })).number, 3);
      await (await other.begin()).discard();
      await (await store.begin()).discard();
    });

    it('ends a draft that is published, discarded or failed', async () => {
      const endings: readonly ((draft: EditionDraft) => Promise<unknown>)[] = [
        (draft) => draft.publish(descriptionOf(1), { keep: 1 }),
        (draft) => draft.discard(),
        (draft) => assert.rejects(() => draft.write('../up', Uint8Array.of(1)), RangeError),
        (draft) => assert.rejects(() => draft.publish(descriptionOf(1), { keep: 0 }), RangeError),
      ];
      for (const end of endings) {
        const draft = await store.begin();
        await end(draft);
        await assert.rejects(
          () => draft.write('a', Uint8Array.of(1)),
          /published or discarded before/,
        );
        await assert.rejects(
          () => draft.publish(descriptionOf(1), { keep: 1 }),
          /published or discarded/,
        );
        await draft.discard();
      }
      assert.equal((await store.list()).length, 1);
    });

    it('refuses names that could not be file names, and a name twice', async () => {
      for (const name of ['', '..', 'a/b', 'A', 'a..b', '.a', 'a b', 'manifest.json/', 'twice']) {
        const draft = await store.begin();
        await draft.write('twice', Uint8Array.of(1));
        await assert.rejects(() => draft.write(name, Uint8Array.of(1)), RangeError, name);
      }
    });

    it('closes with a draft open by discarding it', async () => {
      const other = open();
      await (await store.begin()).write('a', Uint8Array.of(1));
      await store.close();
      opened = [other];
      assert.equal((await smallEdition(other, 1)).number, 1);
    });

    it('refuses to publish over another edition than the one compared with', async () => {
      await smallEdition(store, 1);
      const draft = await store.begin();
      await assert.rejects(() => draft.publish(descriptionOf(2), { keep: 3, expectedCurrent: 5 }), {
        kind: 'refused',
        message: /Edition 1 became current during the import, which compared with edition 5\./,
      });
      assert.equal((await store.current())?.number, 1);
      const again = await (await store.begin()).publish(descriptionOf(2), {
        keep: 3,
        expectedCurrent: 1,
      });
      assert.equal(again.number, 2);
    });

    it('dates an edition after all before it, also if the clock was set back', async () => {
      clock = new Date('2025-02-03T10:00:00Z');
      await smallEdition(store, 1);
      clock = new Date('2025-02-01T10:00:00Z');
      await smallEdition(store, 2);
      await smallEdition(open(), 3);
      clock = new Date('2025-02-03T11:00:00Z');
      await smallEdition(store, 4);
      assert.deepEqual(
        (await store.list()).map(({ publishedAt }) => publishedAt.slice(8, -1)),
        ['03T10:00:00.000', '03T10:00:00.001', '03T10:00:00.002', '03T11:00:00.000'],
      );
      assert.deepEqual(
        (await store.replaced()).map(({ replacedAt }) => replacedAt.slice(8, -1)),
        ['03T11:00:00.000', '03T10:00:00.002'],
      );
    });

    it('says which editions on disk were replaced, and when, the last one first', async () => {
      const atHour = (hour: number) => new Date(`2025-02-01T1${hour}:00:00.000Z`);
      assert.deepEqual(await store.replaced(), []);
      for (const seed of [1, 2, 3, 4]) {
        clock = atHour(seed);
        await smallEdition(store, seed, 3);
      }
      const replaced = (number: number) => ({
        number,
        publishedAt: atHour(number).toISOString(),
        replacedAt: atHour(number + 1).toISOString(),
      });
      assert.deepEqual(await open().replaced(), [replaced(3), replaced(2)]);
    });

    describe('keeping editions', () => {
      it('keeps the data of the newest, and lists all for good', async () => {
        for (const seed of [1, 2, 3, 4, 5]) {
          await smallEdition(store, seed, 3);
        }
        assert.deepEqual(await numbersOnDisk(), [3, 4, 5]);
        assert.equal((await store.list()).length, 5);
        assert.deepEqual({ ...(await store.load(3)) }, { small: Uint32Array.of(3, 6) });
        await assert.rejects(
          () => store.load(2),
          (error) => {
            assert.ok(error instanceof EditionGoneError);
            assert.equal(error.number, 2);
            return true;
          },
        );
      });

      it('keeps fewer when told so, and does not bring back what is gone', async () => {
        for (const seed of [1, 2, 3]) {
          await smallEdition(store, seed, 3);
        }
        await smallEdition(store, 4, 1);
        assert.deepEqual(await numbersOnDisk(), [4]);
        await smallEdition(store, 5, 3);
        assert.deepEqual(await numbersOnDisk(), [4, 5]);
      });

      it('keeps everything when an import fails', async () => {
        for (const seed of [1, 2, 3]) {
          await smallEdition(store, seed, 3);
        }
        await (await store.begin()).discard();
        assert.deepEqual(await numbersOnDisk(), [1, 2, 3]);
        assert.equal((await store.current())?.number, 3);
      });
    });

    describe('differences', () => {
      it('are kept with the edition they are to, also when its data are gone', async () => {
        const difference: Difference = {
          added: ['A1', 'B22'],
          changed: ['C333'],
          removed: [],
          byRole: [
            { code: '177', added: 2, changed: 0, removed: 0 },
            { code: '197', added: 0, changed: 1, removed: 0 },
          ],
        };
        await smallEdition(store, 1);
        await smallEdition(store, 2);
        await (await store.begin()).publish(
          { ...descriptionOf(3, difference), comparedTo: 1 },
          { keep: 3, expectedCurrent: 2 },
        );
        await smallEdition(store, 4, 1);
        const kept = open();
        assert.deepEqual(await kept.differences(1), NO_DIFFERENCE);
        assert.deepEqual(await kept.differences(2), { ...NO_DIFFERENCE, comparedTo: 1 });
        assert.deepEqual(await kept.differences(3), { ...difference, comparedTo: 1 });
        assert.deepEqual(await kept.differences(4), { ...NO_DIFFERENCE, comparedTo: 3 });
        assert.equal(await kept.differences(5), undefined);
      });

      it('may hold every code of a large edition', async () => {
        const added = Array.from({ length: 300_000 }, (_, at) => `A${1_000_000 + at}`);
        const difference = { ...NO_DIFFERENCE, added };
        assert.equal(
          (await (await store.begin()).publish(descriptionOf(1, difference), { keep: 1 })).added,
          300_000,
        );
        assert.deepEqual((await store.differences(1))?.added, added);
      });
    });
  });
}
