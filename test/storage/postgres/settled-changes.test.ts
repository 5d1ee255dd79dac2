/** How long a page of changes waits for transactions that began before the newest version. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type AskDatabase,
  SettledChanges,
} from '../../../src/storage/postgres/orders/settled-changes.ts';

/** A database that says in turn which transaction is the oldest, and notes what it said. */
class ScriptedDatabase {
  looks: number[] = [];
  #newest: number | undefined;
  #oldest: readonly number[] = [];

  /** Begins again, with this newest version and these oldest transactions. */
  script(newest: number | undefined, oldest: readonly number[]): void {
    this.#newest = newest;
    this.#oldest = oldest;
    this.looks = [];
  }

  readonly ask = async () => {
    const oldest = this.#oldest[Math.min(this.looks.length, this.#oldest.length - 1)]!;
    this.looks.push(oldest);
    return [{ newest: this.#newest?.toString() ?? null, oldest: String(oldest) }];
  };
}

const database = new ScriptedDatabase();

/** What a call for changes does before it reads. */
async function settle(settled: SettledChanges, ask: AskDatabase = database.ask): Promise<void> {
  const unsettled = await settled.find(ask);
  if (unsettled !== undefined) await settled.wait(unsettled);
}

it('waits until all transactions have ended that began before the newest version', async () => {
  database.script(7, [5, 6, 6, 8, 9]);
  await settle(new SettledChanges(database.ask, 60_000));
  assert.deepEqual(database.looks, [5, 6, 6, 8]);
});

it('does not wait without a version', async () => {
  database.script(undefined, [1]);
  await settle(new SettledChanges(database.ask, 60_000));
  assert.deepEqual(database.looks, [1]);
});

it('waits only once for a transaction that does not end, and waits again for the next one', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => ++nowMs);
  const settled = new SettledChanges(database.ask, 3);
  database.script(7, [5]);
  await settle(settled);
  assert.deepEqual(database.looks, [5, 5, 5, 5]);
  database.script(9, [5]);
  await settle(settled);
  assert.deepEqual(database.looks, [5]);
  database.script(9, [6, 6, 10]);
  await settle(settled);
  assert.deepEqual(database.looks, [6, 6, 10]);
});

it('waits its whole time for a transaction that began shortly before, even after a slow look', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => ++nowMs);
  const settled = new SettledChanges(database.ask, 100);
  const slow: AskDatabase = async () => {
    nowMs += 1000;
    return await database.ask();
  };
  database.script(8, [7, 7, 9]);
  await settle(settled, slow);
  assert.deepEqual(database.looks, [7, 7, 9]);
});

it('asks once for all calls that wait, after a first question of each', async () => {
  const settled = new SettledChanges(database.ask, 60_000);
  const looks = Array.from({ length: 50 }, () => 5);
  database.script(7, [...looks, 5, 5, 8]);
  await Promise.all(looks.map(() => settle(settled)));
  assert.deepEqual(database.looks, [...looks, 5, 5, 8]);
});

it('waits although a shared look is older than the first one of the call', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => ++nowMs);
  const settled = new SettledChanges(database.ask, 3);
  database.script(7, [5]);
  await settle(settled);
  // It is over meanwhile, but the look that is shared began before.
  database.script(7, [5, 8]);
  await settled.wait({ newest: 7n, oldest: 6n });
  assert.deepEqual(database.looks, [5, 8]);
});

it('tells every call that waits that the database does not answer, and asks again later', async () => {
  let looks = 0;
  const ask = async () => {
    looks += 1;
    if (looks === 4) throw new Error('the database is away');
    return [{ newest: '7', oldest: looks > 4 ? '8' : '5' }];
  };
  const settled = new SettledChanges(ask, 60_000);
  const waits = await Promise.allSettled([1, 2, 3].map(() => settle(settled, ask)));
  assert.deepEqual(
    waits.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(looks, 4);
  await settled.wait({ newest: 7n, oldest: 5n });
  assert.equal(looks, 5);
});
