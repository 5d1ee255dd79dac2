/** What every store of editions must do: a suite that each kind of store runs. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { NamedArrays } from '../../src/directory/arrays.ts';
import type { Difference } from '../../src/directory/difference.ts';
import {
  type EditionDescription,
  EditionGoneError,
  type EditionStore,
} from '../../src/directory/edition-store.ts';

/** A place for editions of its own, empty at first. */
export interface EditionPlace {
  /** Opens the place once more, as another process would. */
  open(now: () => Date): EditionStore;
  /** Takes all that was stored away; whatever was opened has been closed. */
  remove(): void;
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

export function publishEdition(store: EditionStore, seed: number, keep = 3) {
  const draft = store.begin();
  for (const [name, array] of Object.entries(arraysOf(seed))) {
    draft.write(name, array);
  }
  return draft.publish(descriptionOf(seed), { keep });
}

/** One quick to write, for tests that make many. */
export function smallEdition(store: EditionStore, seed: number, keep: number) {
  const draft = store.begin();
  draft.write('small', Uint32Array.of(seed, 2 * seed));
  return draft.publish(descriptionOf(seed), { keep });
}

export function describeEditionStore(makePlace: () => EditionPlace): void {
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
    const numbersOnDisk = () =>
      store.list().flatMap(({ isOnDisk, number }) => (isOnDisk ? [number] : []));

    beforeEach(() => {
      clock = new Date('2025-02-01T10:00:00Z');
      place = makePlace();
      opened = [];
      store = open();
    });
    afterEach(() => {
      for (const each of opened) {
        each.close();
      }
      place.remove();
    });

    it('has no edition at first', () => {
      assert.equal(store.current(), undefined);
      assert.deepEqual(store.list(), []);
      assert.equal(store.differences(1), undefined);
      assert.throws(() => store.load(1), EditionGoneError);
      assert.throws(() => store.rollback(), { kind: 'refused', message: /no edition yet/ });
    });

    it('publishes what was drafted, with the times of its beginning and its publishing', () => {
      const draft = store.begin();
      clock = new Date('2025-02-01T10:00:20.5Z');
      const difference = { ...NO_DIFFERENCE, added: ['A1', 'B2'], removed: ['C3'] };
      const published = draft.publish(descriptionOf(7, difference), { keep: 3 });
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
      assert.deepEqual(store.current(), published);
      assert.deepEqual(store.list(), [published]);
    });

    it('loads every array as it was written, in shared memory', () => {
      publishEdition(store, 3);
      const loaded = open().load(1);
      assert.deepEqual({ ...loaded }, arraysOf(3));
      for (const array of Object.values(loaded)) {
        assert.ok(array.buffer instanceof SharedArrayBuffer);
      }
    });

    it('writes the part of a buffer that an array shows', () => {
      const draft = store.begin();
      const whole = Uint16Array.of(1, 2, 3, 4, 5);
      draft.write('part', whole.subarray(1, 4));
      draft.write('shared', new Uint32Array(new SharedArrayBuffer(8), 4));
      whole.fill(9);
      draft.publish(descriptionOf(1), { keep: 3 });
      assert.deepEqual(
        { ...store.load(1) },
        { part: Uint16Array.of(2, 3, 4), shared: Uint32Array.of(0) },
      );
    });

    it('shows nothing of a draft before it is published', () => {
      publishEdition(store, 1);
      const draft = store.begin();
      draft.write('name.order', Uint16Array.of(1));
      assert.equal(store.list().length, 1);
      assert.equal(open().current()?.number, 1);
      draft.discard();
    });

    it('tells an open store of an edition that another one published', () => {
      const server = open();
      assert.equal(server.current(), undefined);
      publishEdition(store, 1);
      assert.equal(server.current()?.number, 1);
      publishEdition(store, 2);
      assert.equal(server.current()?.number, 2);
      store.rollback();
      assert.equal(server.current()?.number, 1);
    });

    it('forgets a discarded draft, and its number is not spent', () => {
      const draft = store.begin();
      draft.write('name.order', Uint16Array.of(1));
      draft.discard();
      draft.discard();
      assert.deepEqual(store.list(), []);
      assert.equal(publishEdition(store, 1).number, 1);
    });

    it('refuses a second draft and a rollback while one is open, in any process', () => {
      publishEdition(store, 1);
      publishEdition(store, 2);
      const other = open();
      const draft = store.begin();
      const refused = {
        kind: 'locked',
        message: new RegExp(`process ${process.pid} is importing`),
      };
      assert.throws(() => store.begin(), refused);
      assert.throws(() => other.begin(), refused);
      assert.throws(() => other.rollback(), refused);
      draft.write('name.order', Uint16Array.of(1));
      assert.equal(draft.publish(descriptionOf(3), { keep: 3 }).number, 3);
      other.begin().discard();
      store.begin().discard();
    });

    it('ends a draft that is published, discarded or failed', () => {
      const endings: readonly ((draft: ReturnType<EditionStore['begin']>) => void)[] = [
        (draft) => draft.publish(descriptionOf(1), { keep: 1 }),
        (draft) => draft.discard(),
        (draft) => assert.throws(() => draft.write('../up', Uint8Array.of(1)), RangeError),
        (draft) => assert.throws(() => draft.publish(descriptionOf(1), { keep: 0 }), RangeError),
      ];
      for (const end of endings) {
        const draft = store.begin();
        end(draft);
        assert.throws(() => draft.write('a', Uint8Array.of(1)), /published or discarded before/);
        assert.throws(() => draft.publish(descriptionOf(1), { keep: 1 }), /published or discarded/);
        draft.discard();
      }
      assert.equal(store.list().length, 1);
    });

    it('refuses names that could not be file names, and a name twice', () => {
      for (const name of ['', '..', 'a/b', 'A', 'a..b', '.a', 'a b', 'manifest.json/', 'twice']) {
        const draft = store.begin();
        draft.write('twice', Uint8Array.of(1));
        assert.throws(() => draft.write(name, Uint8Array.of(1)), RangeError, name);
      }
    });

    it('closes with a draft open by discarding it', () => {
      const other = open();
      store.begin().write('a', Uint8Array.of(1));
      store.close();
      opened = [other];
      assert.equal(publishEdition(other, 1).number, 1);
    });

    it('refuses to publish over another edition than the one compared with', () => {
      publishEdition(store, 1);
      const draft = store.begin();
      assert.throws(() => draft.publish(descriptionOf(2), { keep: 3, expectedCurrent: 5 }), {
        kind: 'refused',
        message: /Edition 1 became current during the import, which compared with 5/,
      });
      assert.equal(store.current()?.number, 1);
      const again = store.begin().publish(descriptionOf(2), { keep: 3, expectedCurrent: 1 });
      assert.equal(again.number, 2);
    });

    describe('rolling back', () => {
      it('publishes the edition below the current one, which keeps its publication time', () => {
        const first = publishEdition(store, 1);
        clock = new Date('2025-03-01T10:00:00Z');
        publishEdition(store, 2);
        clock = new Date('2025-04-01T10:00:00Z');
        assert.deepEqual(store.rollback(), first);
        assert.deepEqual(store.current(), first);
        assert.deepEqual(
          store.list().map(({ number, isCurrent }) => [number, isCurrent]),
          [
            [1, true],
            [2, false],
          ],
        );
      });

      it('publishes any edition that is kept, also one above the current one', () => {
        for (const seed of [1, 2, 3]) {
          publishEdition(store, seed);
        }
        assert.equal(store.rollback(1).number, 1);
        assert.equal(store.rollback(3).number, 3);
        assert.equal(store.rollback().number, 2);
        assert.equal(open().current()?.number, 2);
      });

      it('goes no further than the editions there are', () => {
        for (const seed of [1, 2, 3]) {
          publishEdition(store, seed, 2);
        }
        const refused = { kind: 'refused' };
        assert.throws(() => store.rollback(3), { ...refused, message: /3 is current already/ });
        assert.throws(() => store.rollback(4), EditionGoneError);
        assert.throws(() => store.rollback(0), EditionGoneError);
        assert.throws(() => store.rollback(-1), EditionGoneError);
        assert.throws(() => store.rollback(1.5), EditionGoneError);
        assert.throws(() => store.rollback(1), /Edition 1 is no longer kept/);
        assert.equal(store.rollback().number, 2);
        assert.throws(() => store.rollback(), /Edition 1 is no longer kept/);
        assert.equal(store.current()?.number, 2);
        store.begin().discard();
      });

      it('says that the first edition has none below it', () => {
        publishEdition(store, 1);
        assert.throws(() => store.rollback(), { kind: 'refused', message: /no edition below 1/ });
      });

      it('never leads to a number being used twice', () => {
        publishEdition(store, 1);
        publishEdition(store, 2);
        store.rollback();
        assert.equal(publishEdition(store, 3).number, 3);
        assert.deepEqual(
          store.list().map(({ number, source }) => [number, source]),
          [
            [1, 'release-1.zip'],
            [2, 'release-2.zip'],
            [3, 'release-3.zip'],
          ],
        );
      });
    });

    it('says which editions on disk were replaced, and when, the last one first', () => {
      const atHour = (hour: number) => new Date(`2025-02-01T1${hour}:00:00.000Z`);
      assert.deepEqual(store.replaced(), []);
      for (const seed of [1, 2, 3, 4]) {
        clock = atHour(seed);
        publishEdition(store, seed, 3);
      }
      clock = atHour(5);
      store.rollback(2);
      const replaced = (number: number, publishedHour: number, replacedHour: number) => ({
        number,
        publishedAt: atHour(publishedHour).toISOString(),
        replacedAt: atHour(replacedHour).toISOString(),
      });
      assert.deepEqual(open().replaced(), [replaced(4, 4, 5), replaced(3, 3, 4)]);
      clock = atHour(6);
      store.rollback(3);
      assert.deepEqual(store.replaced(), [replaced(2, 2, 6), replaced(4, 4, 5)]);
    });

    describe('keeping editions', () => {
      it('keeps the data of the newest, and lists all for good', () => {
        for (const seed of [1, 2, 3, 4, 5]) {
          publishEdition(store, seed, 3);
        }
        assert.deepEqual(numbersOnDisk(), [3, 4, 5]);
        assert.equal(store.list().length, 5);
        assert.deepEqual({ ...store.load(3) }, arraysOf(3));
        assert.throws(
          () => store.load(2),
          (error) => {
            assert.ok(error instanceof EditionGoneError);
            assert.equal(error.number, 2);
            return true;
          },
        );
      });

      it('keeps fewer when told so, and does not bring back what is gone', () => {
        for (const seed of [1, 2, 3]) {
          publishEdition(store, seed, 3);
        }
        publishEdition(store, 4, 1);
        assert.deepEqual(numbersOnDisk(), [4]);
        publishEdition(store, 5, 3);
        assert.deepEqual(numbersOnDisk(), [4, 5]);
      });

      it('keeps the edition that is replaced before newer ones that were given up', () => {
        for (const seed of [1, 2, 3]) {
          publishEdition(store, seed, 3);
        }
        store.rollback(1);
        publishEdition(store, 4, 3);
        assert.deepEqual(numbersOnDisk(), [1, 3, 4]);
        publishEdition(store, 5, 2);
        assert.deepEqual(numbersOnDisk(), [4, 5]);
      });

      it('keeps everything when an import fails', () => {
        for (const seed of [1, 2, 3]) {
          publishEdition(store, seed, 3);
        }
        store.rollback();
        store.begin().discard();
        assert.deepEqual(numbersOnDisk(), [1, 2, 3]);
        assert.equal(store.current()?.number, 2);
      });
    });

    describe('differences', () => {
      it('are kept with the edition they are to, also when its data are gone', () => {
        const difference: Difference = {
          added: ['A1', 'B22'],
          changed: ['C333'],
          removed: [],
          byRole: [
            { code: '177', added: 2, changed: 0, removed: 0 },
            { code: '197', added: 0, changed: 1, removed: 0 },
          ],
        };
        publishEdition(store, 1);
        publishEdition(store, 2);
        store.rollback();
        store.begin().publish(descriptionOf(3, difference), { keep: 3, expectedCurrent: 1 });
        publishEdition(store, 4, 1);
        const kept = open();
        assert.deepEqual(kept.differences(1), NO_DIFFERENCE);
        assert.deepEqual(kept.differences(2), { ...NO_DIFFERENCE, comparedTo: 1 });
        assert.deepEqual(kept.differences(3), { ...difference, comparedTo: 1 });
        assert.deepEqual(kept.differences(4), { ...NO_DIFFERENCE, comparedTo: 3 });
        assert.equal(kept.differences(5), undefined);
      });

      it('may hold every code of a large edition', () => {
        const added = Array.from({ length: 300_000 }, (_, at) => `A${1_000_000 + at}`);
        const difference = { ...NO_DIFFERENCE, added };
        assert.equal(
          store.begin().publish(descriptionOf(1, difference), { keep: 1 }).added,
          300_000,
        );
        assert.deepEqual(store.differences(1)?.added, added);
      });
    });
  });
}
