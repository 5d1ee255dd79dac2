/** How long a page of changes waits for transactions that began before the newest version. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { SettledChanges } from '../../../src/storage/postgres/orders/settled-changes.ts';

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

/** The clock goes on by a millisecond each time that it is read. */
function scriptClock(t: TestContext): void {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => ++nowMs);
}

const database = new ScriptedDatabase();

it('waits until all transactions have ended that began before the newest version', async () => {
  database.script(7, [5, 6, 6, 8, 9]);
  await new SettledChanges(database.ask, 60_000).wait();
  assert.deepEqual(database.looks, [5, 6, 6, 8]);
});

it('does not wait without a version', async () => {
  database.script(undefined, [1]);
  await new SettledChanges(database.ask).wait();
  assert.deepEqual(database.looks, [1]);
});

it('waits only once for a transaction that does not end, and waits again for the next one', async (t) => {
  scriptClock(t);
  const settled = new SettledChanges(database.ask, 3);
  database.script(7, [5]);
  await settled.wait();
  assert.deepEqual(database.looks, [5, 5, 5]);
  database.script(9, [5]);
  await settled.wait();
  assert.deepEqual(database.looks, [5]);
  database.script(9, [6, 6, 10]);
  await settled.wait();
  assert.deepEqual(database.looks, [6, 6, 10]);
});

it('waits for a page although a shorter wait for the same transaction had an end', async (t) => {
  scriptClock(t);
  const settled = new SettledChanges(database.ask, 100);
  database.script(7, [5]);
  await settled.wait(2);
  assert.deepEqual(database.looks, [5, 5]);
  database.script(7, [5, 5, 5, 8]);
  await settled.wait();
  assert.deepEqual(database.looks, [5, 5, 5, 8]);
});

it('asks once for all calls that wait, after a first question of each', async () => {
  const settled = new SettledChanges(database.ask, 60_000);
  const looks = Array.from({ length: 50 }, () => 5);
  database.script(7, [...looks, 5, 5, 8]);
  await Promise.all(Array.from({ length: 50 }, () => settled.wait()));
  assert.deepEqual(database.looks, [...looks, 5, 5, 8]);
});

it('says that the database does not answer to every call that waits', async () => {
  let looks = 0;
  const ask = async () => {
    looks += 1;
    if (looks > 3) throw new Error('the database is away');
    return [{ newest: '7', oldest: '5' }];
  };
  const settled = new SettledChanges(ask, 60_000);
  const waits = await Promise.allSettled([1, 2, 3].map(() => settled.wait()));
  assert.deepEqual(
    waits.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(looks, 4);
});
