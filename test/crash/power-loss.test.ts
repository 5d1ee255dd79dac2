/** No power loss removes an acknowledged write or leaves a partial one: `npm run test:crash`. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { whyNoLibrary } from '../faults/compile-library.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { CONTROL_NAMES } from './controls.ts';
import { explore } from './explore.ts';
import { recordRun } from './record-run.ts';
import { readRecording } from './recording.ts';

const seed = Number(process.env.CRASH_SEED ?? 1);
const states = Number(process.env.CRASH_STATES ?? 500);
const skip = whyNoLibrary();

/** Of the failures, those that are shown. */
const SHOWN_MAX = 5;
const WRITES = 300;
/** Most controls show after ten. */
const CONTROL_STATES = 150;
/** Percentage of the syncs that fail in the second run. */
const SYNC_FAILS = 10;

it('no power loss of a run on a sound disk breaks a promise', { skip }, async (context) => {
  const folder = await recorded(context, 0);
  await requireNoLoss(context, folder, states * 0.7);
  for (const control of CONTROL_NAMES) {
    await context.test(`and it would, without the syncs of ${control}`, async () => {
      const { failures } = await explore({ folder, seed, states: CONTROL_STATES, control });
      assert.notEqual(failures.length, 0);
    });
  }
});

it('no power loss of a run in which syncs fail sometimes breaks a promise', {
  skip,
}, async (context) => {
  const folder = await recorded(context, SYNC_FAILS);
  await requireNoLoss(context, folder, states * 0.3);
});

async function recorded(context: TestContext, syncFails: number): Promise<string> {
  const folder = temporaryFolder(context);
  await recordRun(context, folder, { writes: WRITES, syncFails, seed });
  return folder;
}

async function requireNoLoss(context: TestContext, folder: string, count: number): Promise<void> {
  const exploration = await explore({ folder, seed, states: Math.ceil(count) });
  const { changes, promises } = readRecording(folder);
  const acknowledged = promises.filter(({ kind }) => kind === 'version').length;
  const { failures } = exploration;
  context.diagnostic(
    `figures: ${exploration.states} states, ${changes.length} changes, ` +
      `${acknowledged} acknowledged writes, ${failures.length} states with a loss`,
  );
  assert.deepEqual(failures.slice(0, SHOWN_MAX), []);
}
