/**
 * Records a run of the real program: the first start in a new folder, a key, servers under load,
 * a clean stop, SIGKILL, imports, a rollback, a backup and its restore; and when the program
 * promised what.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { releaseBytes } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { compileLibrary } from '../faults/compile-library.ts';
import { gazetteer, type Server, serve } from '../journeys/program.ts';
import { createRecordedLoad } from './recorded-load.ts';
import { type Promised, recordingPaths, writePromises } from './recording.ts';

export interface RunOptions {
  /** Versions that are written and acknowledged, about. */
  readonly writes: number;
  /** Percentage of the syncs of order responses that fail. */
  readonly syncFails: number;
  readonly seed: number;
}

/** Below the recorded folder; two levels, both made by the program. */
export const DATA = 'place/data';
export const RESTORED = 'restored';
export const BACKUP = 'backup.db';

/** As a disk would: so that more than one write waits for a sync. */
const SYNC_US = 300;
const CLIENTS = 12;
const RECORDS = 400;

/** Writes the recording into an empty folder. */
export async function recordRun(
  context: TestContext,
  folder: string,
  { writes, syncFails, seed }: RunOptions,
): Promise<void> {
  const paths = recordingPaths(folder);
  mkdirSync(paths.root);
  compileLibrary('test/crash/recorder.c', paths.library);
  const environment = {
    LD_PRELOAD: paths.library,
    RECORD_LOG: paths.log,
    RECORD_ROOT: paths.root,
    RECORD_SYNC_US: String(SYNC_US),
    RECORD_SYNC_FAILS: String(syncFails),
    UV_USE_IO_URING: '0',
  };
  const data = join(paths.root, DATA);
  const promises: Promised[] = [];
  const runIn = async (place: string, command: string, ...words: string[]) => {
    const { code, stdout, stderr } = await gazetteer([command, ...words, '--data', place], {
      environment,
    });
    assert.equal(code, 0, `${command}: ${stdout}${stderr}`);
    return { stdout, at: now() };
  };
  const run: Run = (command, ...words) => runIn(data, command, ...words);
  const start = () =>
    serve(context, ['--data', data, '--threads', '2', '--log-requests', 'false'], { environment });

  const token = await run('token', '--make-folder', '--expires', '1d');
  promises.push({ kind: 'token', at: token.at });
  const load = createRecordedLoad(token.stdout.trim(), promises, seed);
  const publish = createPublish(folder, run, promises);

  const first = await start();
  await Promise.all([load.write(first.origin, CLIENTS, writes / 4), publish('import')]);
  await first.stop();

  const second = await start();
  const write = () => load.write(second.origin, CLIENTS, writes / 4);
  await Promise.all([write(), publish('import')]);
  const backup = join(paths.root, BACKUP);
  const keep = async () => {
    const { stdout, at } = await run('verify');
    promises.push({ kind: 'head', head: /audit head (\S+)/.exec(stdout)?.[1] ?? '', at });
    const versions = promises.filter(({ kind }) => kind === 'version').length;
    promises.push({ kind: 'backup', versions, at: (await run('backup', backup)).at });
  };
  await Promise.all([write(), keep()]);
  const killed = load.write(second.origin, CLIENTS, Number.POSITIVE_INFINITY);
  await killWhole(second, paths.log);
  await killed;

  const third = await start();
  await Promise.all([
    load.write(third.origin, CLIENTS, writes / 4),
    publish('rollback').then(() => publish('import')),
  ]);
  await third.stop();
  const restored = await runIn(join(paths.root, RESTORED), 'restore', backup);
  promises.push({ kind: 'restore', at: restored.at });
  writePromises(folder, promises);
}

type Run = (command: string, ...words: string[]) => Promise<{ stdout: string; at: string }>;

/** Imports of releases that differ, and rollbacks, one after the other. */
function createPublish(folder: string, run: Run, promises: Promised[]) {
  let imports = 0;
  return async (command: 'import' | 'rollback') => {
    const begunAt = now();
    const words: string[] = [];
    if (command === 'import') {
      const release = join(folder, `release-${imports}.zip`);
      // All but the first are merged with the edition before.
      const options = { ...releaseDefaults, records: RECORDS, revision: imports++ };
      await writeFile(release, releaseBytes(options, 'zip'));
      words.push(release, '--quiet', '--allow-shrink');
    }
    const { at } = await run(command, ...words);
    const editions: { number: number; isCurrent: boolean }[] = JSON.parse(
      (await run('editions', '--json')).stdout,
    );
    const number = editions.find(({ isCurrent }) => isCurrent)?.number ?? 0;
    promises.push({ kind: 'edition', number, begunAt, at });
  };
}

/** SIGKILL between two changes, so that the recording has all that was done. */
async function killWhole({ process }: Server, log: string): Promise<void> {
  const exited = once(process, 'exit');
  const lock = openSync(`${log}.lock`, 'r+');
  writeSync(lock, Int32Array.of(process.pid ?? 0));
  closeSync(lock);
  const [, signal] = await exited;
  assert.equal(signal, 'SIGKILL');
}

function now(): string {
  return String(process.hrtime.bigint());
}
