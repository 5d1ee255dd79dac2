/** The edition that is served: what is published is loaded once, and what cannot be, not for ever. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createEditionWatch } from '../../src/cli/edition-watch.ts';
import type { NamedArrays } from '../../src/directory/arrays.ts';
import { EditionFormatError } from '../../src/directory/edition.ts';
import type { EditionStore } from '../../src/directory/edition-store.ts';
import type { Log } from '../../src/server/log.ts';

const FORMAT = 1;

/** A store of which only what is looked at is there. */
function storeOf(published: { number: number; format: number }) {
  const loaded: number[] = [];
  const store: Pick<EditionStore, 'current' | 'load'> = {
    current: () => ({
      number: published.number,
      publishedAt: '2026-09-01T10:00:00.000Z',
      publicationDate: '2026-08-28',
      records: 1,
    }),
    load: (number): NamedArrays => {
      loaded.push(number);
      return { format: Uint32Array.of(published.format) };
    },
  } as Pick<EditionStore, 'current' | 'load'>;
  return { store: store as EditionStore, loaded };
}

it('an edition that another version made is read once, and the next one as soon as it is there', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const published = { number: 1, format: FORMAT + 1 };
  const { store, loaded } = storeOf(published);
  const told: number[] = [];
  const watch = createEditionWatch({
    store: { ...store, replaced: () => [] },
    settings: { graceMinutes: 15, editionsInMemory: 3 },
    threads: { update: (update) => 'current' in update && told.push(update.current.number) },
    data: 'data',
    log: { info: () => {}, warn: () => {} } as unknown as Log,
  });
  const served = () => watch.served?.number;
  assert.throws(() => watch.look(), EditionFormatError);
  for (; nowMs < 3_600_000; nowMs += 60_000) watch.look();
  assert.deepEqual(loaded, [1]);
  assert.equal(served(), undefined);
  published.number = 2;
  published.format = FORMAT;
  watch.look();
  assert.deepEqual(loaded, [1, 2]);
  assert.deepEqual(told, [2]);
  assert.equal(served(), 2);
});
