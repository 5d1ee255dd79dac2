/** A large table in a body is read in pieces. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readTable } from '../../../src/interfaces/questions/csv-table.ts';
import { RESOLVE } from '../../../src/interfaces/questions/questions.ts';

const ROWS = 5_000;
const TABLE = Buffer.from(`code,note\n${'RR8,"ÄÖÜ € 😀, with a comma"\n'.repeat(ROWS)}`);

it('other requests are answered while a table that came in one piece is read', async (context) => {
  // Whenever the time is read, a slice has ended.
  let now = 0;
  context.mock.method(performance, 'now', () => {
    now += 10;
    return now;
  });
  let isDone = false;
  const rows = Array.fromAsync(readTable([TABLE], RESOLVE, { remedy: '' })).finally(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    await nextTurn();
    turns += 1;
  }
  const found = await rows;
  assert.equal(found.length, 1 + ROWS);
  assert.ok(found.slice(1).every(({ cells }) => cells[1] === 'ÄÖÜ € 😀, with a comma'));
  assert.ok(turns > TABLE.length / 20_000, `${turns} turns for ${TABLE.length} bytes`);
});
