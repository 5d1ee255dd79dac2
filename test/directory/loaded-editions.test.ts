/** Which editions a thread can read while they are replaced. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { createLoadedEditions } from '../../src/interfaces/answer/editions.ts';
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

describe('a request for an edition that is not in memory', () => {
  const waitMs = 60_000;

  it('waits until it is, if the server may wait', async () => {
    const editions = createLoadedEditions({ waitMs });
    editions.take(readable(3, [], [2]));
    assert.equal(editions.byNumber(2), 'on disk');
    const ready = editions.whenRead?.(2);
    editions.take(readable(3, [2]));
    await ready;
    assert.notEqual(editions.byNumber(2), 'on disk');
  });

  it('waits for a newer one until the store has none of that number', async () => {
    const wanted: number[] = [];
    const editions = createLoadedEditions({ waitMs, onWanted: (number) => wanted.push(number) });
    editions.take(readable(3));
    assert.equal(editions.byNumber(4), 'on disk');
    assert.equal(editions.byNumber(104), undefined, 'no server is so far ahead');
    const ready = [editions.whenRead?.(4), editions.whenRead?.(4)];
    editions.reportUnknown(4);
    await Promise.all(ready);
    assert.equal(editions.byNumber(4), undefined);
    assert.deepEqual(wanted, [4]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(editions.byNumber(4), 'on disk', 'it may be there now');
    assert.deepEqual(wanted, [4, 4]);
  });

  it('waits for a limited time', async () => {
    const editions = createLoadedEditions({ waitMs: 1 });
    editions.take(readable(3));
    await editions.whenRead?.(4);
    assert.equal(editions.byNumber(4), 'on disk');
  });

  it('does not wait, and none is newer, where the server may not wait', () => {
    const editions = createLoadedEditions();
    editions.take(readable(3, [], [2]));
    assert.equal(editions.whenRead?.(2), undefined);
    assert.equal(editions.byNumber(4), undefined);
  });
});
