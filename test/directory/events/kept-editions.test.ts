/** The editions that events compare: not those that a rollback undid. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lastEditions } from '../../../src/directory/ask/events/kept-editions.ts';
import type { EditionInfo } from '../../../src/directory/edition/edition-store.ts';

/** By the source of each: `edition 1 again: …` is that of a rollback to edition 1. */
function editionsOf(sources: readonly string[]): EditionInfo[] {
  return sources.map((source, at) => ({
    number: at + 1,
    publicationDate: '2026-08-28',
    source,
    records: 1,
    importedAt: '2026-09-01T10:00:00.000Z',
    publishedAt: '2026-09-01T10:00:00.000Z',
    added: 0,
    changed: 0,
    removed: 0,
    isCurrent: at === sources.length - 1,
    isOnDisk: true,
  }));
}

const CASES: readonly (readonly [title: string, sources: readonly string[], kept: number[]])[] = [
  ['without a rollback, all count', ['a', 'b', 'c'], [3, 2, 1]],
  ['a rollback leaves out what it undid', ['a', 'b', 'edition 1 again: a'], [3, 1]],
  [
    'a rollback back and forth leaves out only what stays undone',
    ['a', 'b', 'edition 1 again: a', 'edition 2 again: b', 'c'],
    [5, 4, 2, 1],
  ],
  [
    'two rollbacks leave out what both undid',
    ['a', 'b', 'c', 'edition 2 again: b', 'edition 1 again: a', 'd'],
    [6, 5, 1],
  ],
];

for (const [title, sources, kept] of CASES) {
  it(title, async () => {
    const history = { list: async () => editionsOf(sources) };
    const found = await lastEditions({ number: sources.length }, history);
    assert.deepEqual(
      found.map(({ number }) => number),
      kept,
    );
  });
}
