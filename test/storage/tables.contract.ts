/** What every kind of store does with the tables that an operator imports beside the editions. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { AboutTable, StoredTable } from '../../src/directory/arrays/stored-table.ts';
import type { Store } from '../../src/storage/store/store.ts';
import type { TableStore } from '../../src/storage/tables/table-store.ts';
import { postcodeBytes } from '../directory/places/postcode-rows.ts';
import { bytesOfGps } from '../directory/practitioners/practitioner-files.ts';
import type { StorePlace } from './store-place.ts';

/** A table of each kind, and how many entries its contents have. */
interface TableCase {
  readonly name: 'postcodes' | 'practitioners';
  readonly source: string;
  /** One, more than a database keeps in a part, two. */
  readonly contents: () => Promise<readonly [Uint8Array, Uint8Array, Uint8Array]>;
}

const LARGE_POSTCODES = Array.from({ length: 200_000 }, (_, i) => ({
  postcode: `A${1 + (i % 99)} ${Math.floor(i / 99) % 10}${letter(i / 990)}${letter(i / 990 / 26)}`,
})).slice(0, 99 * 10 * 26 * 7);

function letter(number: number): string {
  return String.fromCharCode(65 + (Math.floor(number) % 26));
}

const CASES: readonly TableCase[] = [
  {
    name: 'postcodes',
    source: 'postcodes.csv',
    contents: async () => [
      postcodeBytes([{ postcode: 'LS1 4AP' }]),
      postcodeBytes(LARGE_POSTCODES),
      postcodeBytes([{ postcode: 'LS1 4AP' }, { postcode: 'M1 1AE' }]),
    ],
  },
  {
    name: 'practitioners',
    source: 'practitioners',
    contents: async () => [bytesOfGps(1), bytesOfGps(20_000), bytesOfGps(2)],
  },
];

export function describeTables(makePlace: () => Promise<StorePlace>): void {
  for (const each of CASES) describeTable(each, makePlace);
}

function describeTable(
  { name, source, contents }: TableCase,
  makePlace: () => Promise<StorePlace>,
): void {
  describe(`the ${name} of a store`, () => {
    const storeOf = async (context: TestContext) => {
      const place = await makePlace();
      context.after(() => place.remove());
      return place;
    };
    const tableOf = (commands: Store) => commands[name] as unknown as TableStore<AboutTable>;
    const partsOf = async ({ commands }: StorePlace) => {
      const parts = await Array.fromAsync(commands.verify({}));
      return parts.filter((part) => part.name === name);
    };
    const countOf = (store: TableStore<AboutTable>, stored: StoredTable | undefined) =>
      stored && store.kind.count(stored.about);

    it('are none, and then the last that were published, whole', async (context) => {
      const place = await storeOf(context);
      const table = tableOf(place.commands);
      assert.equal(await table.read(), undefined);
      assert.equal(await table.bytes(), undefined);
      assert.deepEqual(await partsOf(place), []);
      const [first, large, second] = await contents();
      for (const bytes of [first, large, second, second]) {
        await table.publish(bytes);
        assert.ok(Buffer.from(bytes).equals((await table.bytes()) ?? Buffer.alloc(0)));
      }
      assert.equal(countOf(table, await table.read()), 2);
      assert.deepEqual(await partsOf(place), [{ name, findings: [], summary: `2 of ${source}` }]);
    });

    it('are watched: those that are there, and those that replace them', async (context) => {
      const { commands } = await storeOf(context);
      const table = tableOf(commands);
      const [first, , second] = await contents();
      await table.publish(first);
      const seen: StoredTable[] = [];
      const replaced = Promise.withResolvers<void>();
      const end = await table.watch(
        (stored) => {
          if (seen.push(stored) === 2) replaced.resolve();
        },
        (error) => replaced.reject(error),
      );
      try {
        assert.deepEqual(
          seen.map((stored) => countOf(table, stored)),
          [1],
        );
        await table.publish(second);
        await replaced.promise;
        assert.equal(countOf(table, seen[1]), 2);
        assert.notEqual(seen[0]?.about.version, seen[1]?.about.version);
      } finally {
        await end();
      }
    });
  });
}
