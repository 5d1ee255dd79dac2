/** What the layer over SQL must do with every kind of database. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { all, first, plain, sql, upToLength } from '../../src/storage/repository/statement.ts';
import type { SqlReader } from '../../src/storage/sql/dialect.ts';

export interface ReaderPlace {
  readonly reader: SqlReader;
  close(): void | Promise<void>;
}

export function describeSqlReader(makePlace: () => Promise<ReaderPlace>): void {
  describe('a reader of SQL', () => {
    let place: ReaderPlace;

    beforeEach(async () => {
      place = await makePlace();
    });
    afterEach(() => place.close());

    it('puts values and SQL in their places', async () => {
      const text = sql`CAST(${"a'?"} AS text)`;
      const row = await place.reader.run(
        first(sql`SELECT ${text} AS a, CAST(${2} AS bigint) AS b, '${plain('c')}' AS c`),
      );
      assert.deepEqual({ ...row }, { a: "a'?", b: 2, c: 'c' });
    });

    it('reads 8-byte numbers as numbers, and refuses what a number cannot hold', async () => {
      const select = (number: string) =>
        Promise.try(() => place.reader.run(first(sql`SELECT CAST(${number} AS bigint) AS n`)));
      for (const number of [2 ** 53 - 1, 1 - 2 ** 53, 0]) {
        assert.equal((await select(String(number)))?.n, number);
      }
      for (const number of ['9007199254740992', '9007199254740993', '-9007199254740992']) {
        await assert.rejects(select(number), RangeError, number);
      }
    });

    it('ends a list after the first text that is too long', async () => {
      const { reader } = place;
      const listed = sql`SELECT n.place, CAST('text' AS text) AS text
        FROM ${reader.dialect.listed([3, 1, 2, 7, 9])}`;
      const placesUpTo = async (lengthMax: number) =>
        (await reader.run(all(upToLength(listed, lengthMax)))).map(({ place: at }) => Number(at));
      assert.deepEqual(await placesUpTo(100), [1, 2, 3, 4, 5]);
      assert.deepEqual(await placesUpTo(4), [1, 2, 3]);
      assert.deepEqual(await placesUpTo(0), [1, 2]);
    });

    it('reads the rows of a query one after the other', async () => {
      const rows = [];
      const query = sql`SELECT n.key FROM ${place.reader.dialect.listed([5, 6])} ORDER BY n.key`;
      for await (const row of place.reader.rows(query)) rows.push(Number(row.key));
      assert.deepEqual(rows, [5, 6]);
    });
  });
}
