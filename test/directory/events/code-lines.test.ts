/** Long lists of changed codes are read, joined and sorted in pieces. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeChangesOf } from '../../../src/directory/ask/events/code-changes.ts';
import { codesIn, sortedCodes } from '../../../src/directory/ask/events/code-lines.ts';
import { touchedSince } from '../../../src/directory/ask/events/touched-codes.ts';
import type { EditionHistory, EditionInfo } from '../../../src/directory/edition/edition-store.ts';
import { NO_HISTORY } from '../../../src/directory/edition/edition-store.ts';
import { createPauses } from '../../../src/threads/pauses.ts';
import { fc } from '../../property.ts';
import { editionOf } from '../directory-server.ts';

const COUNT = 500;
const CODES = Array.from({ length: COUNT }, (_, at) => `A${1000 + at}`);
const INFOS = [1, 2].map(
  (number): EditionInfo => ({
    number,
    publicationDate: `2026-0${number}-01`,
    source: 'release',
    records: COUNT,
    importedAt: `2026-0${number}-01T00:00:00.000Z`,
    publishedAt: `2026-0${number}-01T00:00:00.000Z`,
    added: 0,
    changed: 0,
    removed: 0,
    isCurrent: number === 2,
    isOnDisk: true,
  }),
);
const HISTORY: EditionHistory = {
  ...NO_HISTORY,
  list: async () => INFOS,
  differenceCounts: async (number) => ({ byRole: [], comparedTo: number - 1 }),
  codes: async (number, kind) => (number === 2 && kind === 'added' ? CODES.join('\n') : ''),
};

describe('the codes that editions changed', () => {
  it('are read from lines, whether the last line has an end or not', () => {
    assert.deepEqual([...codesIn('')], []);
    assert.deepEqual([...codesIn('A1')], ['A1']);
    assert.deepEqual([...codesIn('A1\nB2')], ['A1', 'B2']);
    assert.deepEqual([...codesIn('A1\nB2\n')], ['A1', 'B2']);
  });

  it('are sorted as a plain sort does it, however many there are', async () => {
    const lists = fc.uniqueArray(fc.string({ maxLength: 4 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(lists, async (codes) => {
        assert.deepEqual(await sortedCodes(codes), codes.toSorted());
      }),
    );
    const many = Array.from({ length: 13_000 }, (_, at) => String((at * 7_919) % 13_000));
    assert.deepEqual(await sortedCodes(many), many.toSorted());
  });

  for (const [name, read] of [
    ['since an edition', () => touchedSince(editionOf([], 2), INFOS[0]!, HISTORY)],
    ['by each edition', () => codeChangesOf(INFOS.toReversed(), HISTORY, createPauses())],
  ] as const) {
    it(`are found ${name} while other requests are answered`, async (context) => {
      // Each code takes a millisecond.
      let now = 0;
      context.mock.method(performance, 'now', () => now++);
      let isDone = false;
      const found = read().finally(() => {
        isDone = true;
      });
      let turns = 0;
      while (!isDone) {
        await nextTurn();
        turns += 1;
      }
      assert.ok(turns > COUNT / 20, `${turns} turns in ${COUNT} ms`);
      assert.match(JSON.stringify(await found), new RegExp(CODES.at(-1)!));
    });
  }
});
