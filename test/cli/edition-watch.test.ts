/** The edition that is served: what is published is loaded once, and a failure is not repeated. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EditionWatch } from '../../src/cli/serve/editions/edition-watch.ts';
import type { EditionInfo, EditionReader } from '../../src/directory/edition/edition-store.ts';
import type { Log } from '../../src/server/monitoring/log.ts';
import { LOG_PROBLEMS, type LogCode } from '../../src/server/monitoring/log-problems.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FORMAT = 1;
const OTHER_FORMAT = 99;

function infoOf(number: number): EditionInfo {
  return {
    number,
    publishedAt: '2026-09-01T10:00:00.000Z',
    importedAt: '2026-09-01T10:00:00.000Z',
    publicationDate: '2026-08-28',
    source: 'release.zip',
    records: 1,
    added: 0,
    changed: 0,
    removed: 0,
    isCurrent: true,
    isOnDisk: true,
  };
}

/** The parts of a store that do not change. */
const STORE = {
  list: async () => [],
  replaced: async () => [],
  findings: async () => [],
  knowsLinks: async () => true,
};

function logTo(logged: string[]): Log {
  const note = ({ reason }: { reason?: string }, message: string) =>
    logged.push([message, reason].filter(Boolean).join(': '));
  const reportNote = (code: LogCode, values: { reason?: string }, message?: string) =>
    note(values, message ?? LOG_PROBLEMS[code].message);
  return { info: note, report: reportNote } as unknown as Log;
}

/** A watch over a store in memory. `publish` reports an edition; loads wait while `hold` holds. */
function startWatch(context: TestContext, database?: { readonly isAway: () => boolean }) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let current: EditionInfo | undefined;
  let report = (_: EditionInfo) => {};
  let gate = Promise.resolve();
  const formats = new Map<number, number>();
  const broken = new Set<number>();
  const loaded: number[] = [];
  const told: number[] = [];
  const problems: string[] = [];
  const logged: string[] = [];
  const store: EditionReader = {
    current: async () => current,
    ...STORE,
    watch: (onNew) => {
      report = onNew;
      if (current !== undefined) onNew(current);
      return () => {
        report = () => {};
      };
    },
    load: async (number) => {
      await gate;
      loaded.push(number);
      if (broken.has(number)) throw new Error(`${number} is damaged`);
      return { format: Uint32Array.of(formats.get(number) ?? FORMAT) };
    },
    close: async () => {},
  };
  const watch = new EditionWatch({
    store,
    settings: { graceMinutes: 15, editionsInMemory: 3 },
    threads: {
      update: (update) => {
        if (update.kind === 'editions') told.push(update.current.number);
        if (update.kind === 'edition-problem') problems.push(update.problem);
      },
    },
    data: 'data',
    ...(database !== undefined && { database }),
    filesFolder: temporaryFolder(context),
    log: logTo(logged),
  });
  context.after(() => watch.stop());
  return {
    watch,
    formats,
    broken,
    loaded,
    told,
    problems,
    logged,
    hold: () => {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    },
    publish: async (number: number) => {
      current = infoOf(number);
      report(current);
      await nextTurn();
    },
    tick: async (ms: number) => {
      context.mock.timers.tick(ms);
      await nextTurn();
    },
  };
}

it('no edition is reported to be missing while the database cannot be read', async (context) => {
  const { watch, logged } = startWatch(context, { isAway: () => true });
  await watch.start();
  assert.deepEqual(logged, []);
});

it('the current edition is loaded once, and then each one that replaces it', async (context) => {
  const { watch, publish, loaded, told, logged } = startWatch(context);
  await publish(1);
  await watch.start();
  assert.equal(watch.served?.number, 1);
  await publish(2);
  await publish(1);
  assert.deepEqual([loaded, told, watch.served?.number], [[1, 2], [1, 2, 1], 1]);
  assert.deepEqual(logged, [
    'serving edition: start',
    'serving edition: import',
    'serving edition: rollback',
  ]);
});

it('a server without an edition says so once, and serves the first one', async (context) => {
  const { watch, publish, logged } = startWatch(context);
  await watch.start();
  assert.match(
    logged[0] ?? '',
    /^there is no edition yet: run "gazetteer import FILE --data data"/,
  );
  await publish(1);
  assert.deepEqual([logged.length, logged[1]], [2, 'serving edition: import']);
});

it('a server does not start with an edition that it cannot load', async (context) => {
  const { watch, publish, broken } = startWatch(context);
  broken.add(1);
  await publish(1);
  await assert.rejects(watch.start(), { message: '1 is damaged' });
});

it('an edition that cannot be loaded is tried again, and the reason is logged once', async (context) => {
  const { watch, publish, tick, broken, loaded, logged } = startWatch(context);
  await publish(1);
  await watch.start();
  broken.add(2);
  await publish(2);
  await tick(30_000);
  await tick(30_000);
  assert.deepEqual([loaded, watch.served?.number], [[1, 2, 2, 2], 1]);
  assert.deepEqual(logged.slice(1), ['cannot load an edition']);
  broken.clear();
  await tick(30_000);
  assert.equal(watch.served?.number, 2);
});

it('an edition that another version made is read once, and the next one at once', async (context) => {
  const { watch, publish, tick, formats, loaded, told } = startWatch(context);
  await watch.start();
  formats.set(1, OTHER_FORMAT);
  await publish(1);
  for (let minute = 0; minute < 60; minute++) await tick(60_000);
  assert.deepEqual([loaded, watch.served], [[1], undefined]);
  await publish(2);
  assert.deepEqual([loaded, told, watch.served?.number], [[1, 2], [2], 2]);
});

it('a server starts with an edition of another version, and waits for the next one', async (context) => {
  const { watch, publish, formats, loaded, told, problems } = startWatch(context);
  formats.set(1, OTHER_FORMAT);
  await publish(1);
  await watch.start();
  const problem =
    'This edition was made by another version of the program. Import its release file again.';
  assert.deepEqual([loaded, told, watch.served, watch.problem], [[1], [], undefined, problem]);
  assert.deepEqual(problems, [problem]);
  await publish(2);
  assert.deepEqual([told, watch.problem], [[2], undefined]);
});

it('an edition of another version does not replace the one that is served', async (context) => {
  const { watch, publish, formats, problems } = startWatch(context);
  await publish(1);
  await watch.start();
  formats.set(2, OTHER_FORMAT);
  await publish(2);
  assert.deepEqual([watch.served?.number, watch.problem, problems], [1, undefined, []]);
});

it('a rollback while an edition is loaded is served last', async (context) => {
  const { watch, publish, hold, told } = startWatch(context);
  await publish(1);
  await watch.start();
  const release = hold();
  await publish(2);
  await publish(1);
  release();
  await nextTurn();
  assert.deepEqual([told, watch.served?.number], [[1, 2, 1], 1]);
});

it('an edition that is not wanted any more may fail to load without a word', async (context) => {
  const { watch, publish, hold, broken, logged } = startWatch(context);
  await publish(1);
  await watch.start();
  const release = hold();
  broken.add(2).add(3);
  await publish(2);
  await publish(3);
  watch.stop();
  release();
  await nextTurn();
  assert.deepEqual(logged, ['serving edition: start']);
});
