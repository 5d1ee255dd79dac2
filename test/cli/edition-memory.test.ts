/** How many editions are in memory, which, and how often one is read from the disk. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EditionMemory } from '../../src/cli/serve/editions/edition-memory.ts';
import type { EditionsUpdate } from '../../src/cli/serve/threads/serve-thread-data.ts';
import type { ReplacedEdition } from '../../src/directory/edition/edition-store.ts';
import type { StoredPostcodes } from '../../src/directory/places/stored-postcodes.ts';
import type { StoredPractitioners } from '../../src/directory/practitioners/stored-practitioners.ts';
import type { Log } from '../../src/server/monitoring/log.ts';
import { LOG_PROBLEMS, type LogCode } from '../../src/server/monitoring/log-problems.ts';

const MINUTE_MS = 60_000;

/** Stands for the list of editions among those that are damaged. */
const LIST = 0;

/** A memory over a store of editions that are published one after the other. */
function startMemory(context: TestContext, settings = {}) {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 8, 1) });
  context.mock.method(performance, 'now', () => Date.now());
  const read: number[] = [];
  const logged: string[] = [];
  const damaged = new Set<number>();
  let replaced: ReplacedEdition[] = [];
  let last: number | undefined;
  let told: EditionsUpdate | undefined;
  const publishedAt = '2026-08-28T00:00:00.000Z';
  const note = (values: { edition?: number; reason?: string }, message: string) =>
    logged.push([message, values.edition, values.reason].filter(Boolean).join(' '));
  const report = (code: LogCode, values: { edition?: number; reason?: string }, message?: string) =>
    note(values, message ?? LOG_PROBLEMS[code].message);
  const memory = new EditionMemory({
    store: {
      load: async (number) => {
        if (damaged.has(number)) throw new Error('damaged');
        read.push(number);
        return { format: Uint32Array.of(1) };
      },
      replaced: async () => {
        if (damaged.has(LIST)) throw new Error('damaged');
        return replaced;
      },
    },
    settings: { graceMinutes: 15, editionsInMemory: 3, ...settings },
    placesOf: async (_arrays, { about }) => ({ places: Uint32Array.of(Number(about.version)) }),
    onChange: (update) => {
      told = update;
    },
    log: { info: note, report } as unknown as Log,
  });
  context.after(() => memory.stop());
  return {
    read,
    logged,
    damaged,
    publish: async (number: number) => {
      const before = replaced.filter((edition) => edition.number !== number);
      const now = new Date().toISOString();
      replaced = last ? [{ number: last, publishedAt, replacedAt: now }, ...before] : [];
      last = number;
      await memory.serve({ number, publishedAt });
    },
    want: async (number: number) => {
      memory.want(number);
      context.mock.timers.tick(0);
      await nextTurn();
    },
    /** Lets time pass. A timer can set the next one, so it passes in steps. */
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= STEP_MS) {
        context.mock.timers.tick(Math.min(left, STEP_MS));
        await nextTurn();
      }
    },
    memory,
    told: () => told,
    places: () => [
      told?.postcodes?.about.version,
      ...[told?.current, ...(told?.replaced ?? [])].map((edition) => edition?.arrays.places?.[0]),
    ],
    state: () => [
      told?.current.number,
      told?.replaced.map(({ number }) => number),
      told?.onDisk.slice().sort(),
    ],
  };
}

const STEP_MS = 10_000;

/** A table of which only the version matters. */
function versionOf(version: number): StoredPostcodes & StoredPractitioners {
  return { about: { version: String(version) } } as StoredPostcodes & StoredPractitioners;
}

it('a setting limits the editions in memory, and the oldest leaves first', async (context) => {
  const { publish, read, logged, state } = startMemory(context);
  for (let number = 1; number <= 50; number++) await publish(number);
  const onDisk = Array.from({ length: 47 }, (_, at) => at + 1).sort();
  assert.deepEqual(state(), [50, [49, 48], onDisk]);
  assert.equal(read.length, 50);
  assert.equal(logged.length, 47);
  assert.equal(logged[0], 'edition leaves memory 1 directory.editionsInMemory');
});

it('a replaced edition stays for its grace period, the current one for ever', async (context) => {
  const { publish, pass, state, logged } = startMemory(context);
  await publish(1);
  await pass(20 * MINUTE_MS);
  assert.deepEqual(state(), [1, [], []]);
  await publish(2);
  await pass(15 * MINUTE_MS - 1);
  assert.deepEqual(state(), [2, [1], []]);
  await pass(1);
  assert.deepEqual(state(), [2, [], []]);
  assert.deepEqual(logged, ['edition leaves memory 1 grace period']);
});

it('a rollback to an edition in memory reads nothing', async (context) => {
  const { publish, pass, state, read } = startMemory(context);
  await publish(1);
  await publish(2);
  await pass(5 * MINUTE_MS);
  await publish(1);
  assert.deepEqual(read, [1, 2]);
  assert.deepEqual(state(), [1, [2], []]);
  await pass(12 * MINUTE_MS);
  assert.deepEqual(state(), [1, [2], []]);
  await pass(3 * MINUTE_MS);
  assert.deepEqual(state(), [1, [], []]);
});

it('one that is wanted is read again, takes the place of the oldest, and keeps its grace period', async (context) => {
  const { publish, want, pass, state, read } = startMemory(context);
  for (const number of [1, 2, 3, 4]) await publish(number);
  await pass(14 * MINUTE_MS);
  await want(1);
  assert.deepEqual(read, [1, 2, 3, 4, 1]);
  assert.deepEqual(state(), [4, [1, 3], [2]]);
  await pass(MINUTE_MS);
  assert.deepEqual(state(), [4, [], []]);
  await want(1);
  assert.equal(read.length, 5);
});

it('for any number of requests, the limit applies and one edition is read every ten seconds', async (context) => {
  const { publish, want, pass, state, read } = startMemory(context);
  for (let number = 1; number <= 8; number++) await publish(number);
  const before = read.length;
  for (let halfSecond = 0; halfSecond < 119; halfSecond++) {
    for (let number = 0; number <= 100; number++) await want(number);
    const [current, replaced] = state();
    assert.equal(current, 8);
    assert.ok(Array.isArray(replaced) && replaced.length === 2);
    await pass(500);
  }
  assert.deepEqual(read.slice(before), [1, 2, 3, 4, 5, 6]);
});

it('one that cannot be read is not tried again', async (context) => {
  const { publish, want, pass, state, damaged, logged } = startMemory(context);
  for (const number of [1, 2, 3, 4]) await publish(number);
  damaged.add(1);
  await want(1);
  assert.deepEqual(state(), [4, [3, 2], []]);
  assert.equal(logged.at(-1), 'cannot load a replaced edition 1');
  await pass(MINUTE_MS);
  await want(1);
  assert.equal(logged.length, 2);
});

it('one is in memory once, also where its switch failed the first time', async (context) => {
  const { publish, damaged, state } = startMemory(context);
  await publish(1);
  damaged.add(LIST);
  await assert.rejects(publish(2));
  assert.deepEqual(state(), [1, [], []]);
  damaged.delete(LIST);
  await publish(2);
  assert.deepEqual(state(), [2, [1], []]);
});

it('where one is the bound, no replaced edition can be had', async (context) => {
  const { publish, state } = startMemory(context, { editionsInMemory: 1 });
  await publish(1);
  await publish(2);
  assert.deepEqual(state(), [2, [], []]);
});

it('without a grace period, no replaced edition can be had', async (context) => {
  const { publish, state } = startMemory(context, { graceMinutes: 0 });
  await publish(1);
  await publish(2);
  assert.deepEqual(state(), [2, [], []]);
});

it('gives every edition in memory the places of the newest postcodes', async (context) => {
  const { publish, memory, places } = startMemory(context);
  await memory.takePostcodes(versionOf(1));
  assert.deepEqual(places(), [undefined, undefined]);
  await publish(1);
  assert.deepEqual(places(), ['1', 1]);
  await publish(2);
  assert.deepEqual(places(), ['1', 1, 1]);
  await memory.takePostcodes(versionOf(2));
  assert.deepEqual(places(), ['2', 2, 2]);
  await publish(3);
  assert.deepEqual(places(), ['2', 2, 2, 2]);
});

it('tells the newest practitioners with every edition', async (context) => {
  const { publish, memory, told, places } = startMemory(context);
  const practitioners = () => told()?.practitioners?.about.version;
  await publish(1);
  assert.equal(practitioners(), undefined);
  await memory.takePractitioners(versionOf(1));
  assert.equal(practitioners(), '1');
  await publish(2);
  await memory.takePractitioners(versionOf(2));
  assert.equal(practitioners(), '2');
  // They change no places.
  assert.deepEqual(places(), [undefined, undefined, undefined]);
});
