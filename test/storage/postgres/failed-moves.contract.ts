/** A move that fails leaves nothing in its target, and can be repeated. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { createFileStore } from '../../../src/storage/sqlite/file-store.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { contentsOf, failingAt, stepsOf } from '../moved-data.ts';
import {
  filledDatabase,
  filledFolder,
  move,
  moveFailing,
  newDatabase,
  tablesWithRows,
} from './move-places.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

/** `isTried`: whether moves are to fail at a step of `stepsOf`. */
export function describeFailedMoves(isTried: (step: string) => boolean): void {
  describePostgres('moves that fail', () => {
    let server: PostgresServer;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server.stop());

    it('leave a folder empty, and can be repeated', async (context) => {
      const source = await filledDatabase(context, server);
      const parent = temporaryFolder(context);
      const target = createFileStore(join(parent, 'data'));
      await using contents = await source.contents.read();
      const steps = (await stepsOf(contents)).filter(isTried);
      assert.ok(steps.length > 0);
      for (const step of steps) {
        await assert.rejects(moveFailing(contents, step, target), { message: `failed at ${step}` });
        assert.deepEqual(readdirSync(parent), [], step);
      }
      await move(source, target);
      assert.deepEqual(await contentsOf(target), await contentsOf(source));
    });

    it('leave a database empty, and can be repeated', async (context) => {
      const source = await filledFolder(context);
      const { store: target, name, keyFile } = await newDatabase(context, server);
      await using contents = await source.contents.read();
      const steps = (await stepsOf(contents)).filter(isTried);
      assert.ok(steps.length > 0);
      for (const step of steps) {
        await assert.rejects(moveFailing(contents, step, target), { message: `failed at ${step}` });
        assert.deepEqual(await tablesWithRows(server, name), [], step);
        assert.ok(!existsSync(keyFile), step);
      }
      await move(source, target);
      assert.deepEqual(await contentsOf(target), await contentsOf(source));
    });

    it('leave a database empty if the connection is lost', async (context) => {
      const source = await filledFolder(context);
      const { store: target, name } = await newDatabase(context, server);
      await using contents = await source.contents.read();
      const cut = async () => {
        await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = '${name}' AND application_name = 'gazetteer command'`);
      };
      const moved = target.contents.write(failingAt(contents, 'hold 0', cut));
      await assert.rejects(moved, /127\.0\.0\.1/);
      assert.deepEqual(await tablesWithRows(server, name), []);
      await move(source, target);
      assert.deepEqual(await contentsOf(target), await contentsOf(source));
    });
  });
}
