/** What every kind of store does with postcodes. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { StoredPostcodes } from '../../src/directory/places/stored-postcodes.ts';
import { postcodeBytes } from '../directory/places/postcode-rows.ts';
import type { StorePlace } from './store-place.ts';

const FIRST = postcodeBytes([{ postcode: 'LS1 4AP' }]);
const SECOND = postcodeBytes([{ postcode: 'LS1 4AP' }, { postcode: 'M1 1AE' }]);

/** More than a database keeps in a part. */
const LARGE = postcodeBytes(
  Array.from({ length: 200_000 }, (_, i) => ({
    postcode: `A${1 + (i % 99)} ${Math.floor(i / 99) % 10}${letter(i / 990)}${letter(i / 990 / 26)}`,
  })).slice(0, 99 * 10 * 26 * 7),
);

function letter(number: number): string {
  return String.fromCharCode(65 + (Math.floor(number) % 26));
}

export function describePostcodes(makePlace: () => Promise<StorePlace>): void {
  describe('the postcodes of a store', () => {
    const storeOf = async (context: TestContext) => {
      const place = await makePlace();
      context.after(() => place.remove());
      return place;
    };
    const partsOf = async ({ commands }: StorePlace) => {
      const parts = await Array.fromAsync(commands.verify({}));
      return parts.filter(({ name }) => name === 'postcodes');
    };

    it('are none, and then the last that were published, whole', async (context) => {
      const place = await storeOf(context);
      const { postcodes } = place.commands;
      assert.equal(await postcodes.read(), undefined);
      assert.equal(await postcodes.bytes(), undefined);
      assert.deepEqual(await partsOf(place), []);
      for (const bytes of [FIRST, LARGE, SECOND, SECOND]) {
        await postcodes.publish(bytes);
        assert.ok(Buffer.from(bytes).equals((await postcodes.bytes()) ?? Buffer.alloc(0)));
      }
      const stored = await postcodes.read();
      assert.equal(stored?.about.postcodes, 2);
      assert.deepEqual(await partsOf(place), [
        { name: 'postcodes', findings: [], summary: '2 of postcodes.csv' },
      ]);
    });

    it('are watched: those that are there, and those that replace them', async (context) => {
      const { commands } = await storeOf(context);
      const { postcodes } = commands;
      await postcodes.publish(FIRST);
      const seen: StoredPostcodes[] = [];
      const second = Promise.withResolvers<void>();
      const end = await postcodes.watch(
        (stored) => {
          if (seen.push(stored) === 2) second.resolve();
        },
        (error) => second.reject(error),
      );
      try {
        assert.deepEqual(
          seen.map(({ about }) => about.postcodes),
          [1],
        );
        await postcodes.publish(SECOND);
        await second.promise;
        assert.equal(seen[1]?.about.postcodes, 2);
        assert.notEqual(seen[0]?.about.version, seen[1]?.about.version);
      } finally {
        await end();
      }
    });
  });
}
