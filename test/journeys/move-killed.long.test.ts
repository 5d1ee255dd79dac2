/** A move that is killed at any moment can be repeated, or says what to do. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { importedSample } from '../imported-sample.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { createOperation, openStore } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ended, gazetteer, start } from './program.ts';

const RESOURCES = 3_000;
const KILLS = 12;

describePostgres('gazetteer move', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it('to a database can be killed and repeated', async (context) => {
    const data = await importedSample(context);
    fill(data);
    const target = postgres.url(await postgres.createDatabase());
    await killAndRepeat(['move', '--data', data], {
      spare: postgres.url(await postgres.createDatabase()),
      target,
      verify: ['--data', data, '--database-url', target],
    });
  });

  it('to a folder can be killed and repeated', async (context) => {
    const data = await importedSample(context);
    fill(data);
    const url = postgres.url(await postgres.createDatabase());
    assert.equal((await gazetteer(['move', '--data', data, '--to', url])).code, 0);
    const folder = temporaryFolder(context);
    const target = join(folder, 'back');
    await killAndRepeat(['move', '--data', data, '--database-url', url], {
      spare: join(folder, 'spare'),
      target,
      verify: ['--data', target],
    });
    assert.ok(!readdirSync(target).includes('move.draft'));
  });
});

function fill(path: string): void {
  const store = openStore(openDataFolder(path));
  const operations = Array.from({ length: RESOURCES }, (_, at) =>
    createOperation(`r-${at}`, `${at}`),
  );
  store.runBatch(operations);
  store.close();
}

/** Kills moves at moments that are spread over the time of a whole one, and lets the last one end. */
async function killAndRepeat(
  words: readonly string[],
  { spare, target, verify }: Targets,
): Promise<void> {
  const beganMs = performance.now();
  assert.equal((await gazetteer([...words, '--to', spare])).code, 0);
  const tookMs = performance.now() - beganMs;
  for (let at = 1; at <= KILLS; at++) {
    const child = start([...words, '--to', target]);
    const exited = once(child, 'exit');
    await Promise.race([exited, pause((tookMs * at) / KILLS)]);
    child.kill('SIGKILL');
    await exited;
  }
  const { code, stderr } = await endedMove([...words, '--to', target]);
  // A kill after the end of the move leaves everything in place.
  if (code !== 0) assert.match(stderr, /has data already; name an empty one|exists; move into a/);
  const verified = await gazetteer(['verify', ...verify]);
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, new RegExp(`sound, ${RESOURCES} order responses, ${RESOURCES} `));
}

interface Targets {
  /** The place of a move that is not killed. */
  readonly spare: string;
  readonly target: string;
  /** Names the target. */
  readonly verify: readonly string[];
}

/** The database still has the lock of a killed program for a moment. */
async function endedMove(words: readonly string[]): Promise<Ended> {
  for (;;) {
    const ended = await gazetteer(words);
    if (!/try again when it has ended/.test(ended.stderr)) return ended;
  }
}
