/** Which editions a thread can read while they are replaced. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Edition } from '../../src/directory/edition.ts';
import { createLoadedEditions } from '../../src/directory/loaded-editions.ts';
import { editionArrays } from './edition-arrays.ts';
import { RECORDS } from './records.ts';

const arrays = editionArrays(RECORDS);
const inMemory = (number: number) => ({
  number,
  publishedAt: `2026-09-0${number}T00:00:00.000Z`,
  arrays,
});
const readable = (current: number, replaced: number[] = [], onDisk: number[] = []) => ({
  current: inMemory(current),
  replaced: replaced.map(inMemory),
  onDisk,
});

it('what is in memory can be read, and no other edition', () => {
  const editions = createLoadedEditions();
  assert.equal(editions.current(), undefined);
  assert.equal(editions.byNumber(1), undefined);
  editions.take(readable(1));
  const first = editions.current();
  assert.equal(first?.number, 1);
  editions.take(readable(2, [1]));
  assert.equal(editions.current()?.number, 2);
  assert.equal(editions.byNumber(1), first, 'what was open stays open');
  assert.equal(editions.byNumber(2), editions.current());
  assert.equal(editions.byNumber(3), undefined);
  editions.take(readable(1, [2]));
  assert.equal(editions.current(), first, 'a rollback');
});

it('what is no longer named is let go, and told once', () => {
  const dropped: Edition[] = [];
  const editions = createLoadedEditions({ onDrop: (edition) => dropped.push(edition) });
  editions.take(readable(1));
  const first = editions.current();
  editions.take(readable(2, [1]));
  assert.deepEqual(dropped, []);
  editions.take(readable(2));
  assert.deepEqual(dropped, [first]);
  assert.equal(editions.byNumber(1), undefined);
  editions.take(readable(2));
  assert.equal(dropped.length, 1);
});

it('one that is only on disk is asked for once until there is news', () => {
  const wanted: number[] = [];
  const editions = createLoadedEditions({ onWanted: (number) => wanted.push(number) });
  editions.take(readable(3, [], [2]));
  assert.equal(editions.byNumber(1), undefined);
  assert.equal(editions.byNumber(2), 'on disk');
  assert.equal(editions.byNumber(2), 'on disk');
  assert.deepEqual(wanted, [2]);
  editions.take(readable(3, [], [2]));
  assert.equal(editions.byNumber(2), 'on disk');
  assert.deepEqual(wanted, [2, 2]);
  editions.take(readable(3, [2]));
  assert.notEqual(editions.byNumber(2), 'on disk');
  assert.deepEqual(wanted, [2, 2]);
});
