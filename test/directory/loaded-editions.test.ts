/** Which editions a thread can read while they are replaced. */
import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { buildEdition, type Edition } from '../../src/directory/edition.ts';
import { createLoadedEditions } from '../../src/directory/loaded-editions.ts';
import { RowsBuilder } from '../../src/directory/rows.ts';
import { SETTINGS } from './directory-server.ts';
import { CODE_SYSTEMS, RECORDS } from './records.ts';

const builder = new RowsBuilder();
const ordinals = Uint32Array.from(RECORDS, (record) => builder.add(record));
const arrays = buildEdition(builder, ordinals, CODE_SYSTEMS);
const identity = (number: number) => ({ number, publishedAt: `2026-09-0${number}T00:00:00.000Z` });
const MINUTE_MS = 60_000;

it('a replaced edition stays for the grace period, the newest for ever', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const editions = createLoadedEditions({ ...SETTINGS, graceMinutes: 15 });
  assert.equal(editions.current(), undefined);
  editions.add(identity(1), arrays);
  mock.timers.tick(20 * MINUTE_MS);
  assert.equal(editions.current()?.number, 1);
  editions.add(identity(2), arrays);
  assert.equal(editions.current()?.number, 2);
  mock.timers.tick(14 * MINUTE_MS);
  assert.equal(editions.byNumber(1)?.number, 1);
  mock.timers.tick(MINUTE_MS);
  assert.equal(editions.byNumber(1), undefined);
  assert.equal(editions.byNumber(2)?.number, 2);
  mock.timers.reset();
});

it('an edition that comes back by rollback does not go with its first grace period', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const editions = createLoadedEditions({ ...SETTINGS, graceMinutes: 15 });
  editions.add(identity(1), arrays);
  editions.add(identity(2), arrays);
  mock.timers.tick(5 * MINUTE_MS);
  editions.add(identity(1), arrays);
  mock.timers.tick(12 * MINUTE_MS);
  assert.equal(editions.current()?.number, 1);
  assert.equal(editions.byNumber(1)?.number, 1);
  assert.equal(editions.byNumber(2)?.number, 2);
  mock.timers.tick(3 * MINUTE_MS);
  assert.equal(editions.byNumber(2), undefined);
  mock.timers.reset();
});

it('what is let go is told once: at the end of the grace period, or when a rollback brings it back', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const dropped: Edition[] = [];
  const editions = createLoadedEditions(
    { ...SETTINGS, graceMinutes: 15 },
    { onDrop: (edition) => dropped.push(edition) },
  );
  editions.add(identity(1), arrays);
  const first = editions.current();
  editions.add(identity(2), arrays);
  const second = editions.current();
  mock.timers.tick(5 * MINUTE_MS);
  assert.deepEqual(dropped, []);
  editions.add(identity(1), arrays);
  assert.deepEqual(numbersOf(dropped), [1]);
  assert.equal(dropped[0], first);
  mock.timers.tick(15 * MINUTE_MS);
  assert.deepEqual(numbersOf(dropped), [1, 2]);
  assert.equal(dropped[1], second);
  mock.timers.tick(15 * MINUTE_MS);
  assert.equal(dropped.length, 2);
  mock.timers.reset();
});

function numbersOf(editions: readonly Edition[]): number[] {
  return editions.map(({ number }) => number);
}
