/** A data folder on a read-only disk whose write-ahead logs have no index: what commands say of it. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { SAMPLE } from '../journeys/program.ts';
import { createOperation, openStore } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { mount, remount } from './mount.ts';

const SIZE_BYTES = 64 * 1024 * 1024;

it('a read-only disk is named as the reason, and its data are not called damaged', async (context) => {
  const disk = mkdtempSync(join(tmpdir(), 'gazetteer-disk-'));
  const reason = mount(context, disk, SIZE_BYTES);
  if (reason !== undefined) {
    context.skip(`a separate file system cannot be mounted: ${reason}`);
    return;
  }
  const source = temporaryFolder(context);
  const data = join(disk, 'data');
  const { code } = await runInProcess(['import', SAMPLE, '--data', source, '--quiet']);
  assert.equal(code, 0);
  const folder = openDataFolder(source);
  const orders = openStore(folder);
  context.after(() => orders.close());
  orders.runBatch([createOperation('a')]);
  // As a server leaves it that is killed, on a machine that then starts again.
  cpSync(source, data, { recursive: true, filter: (path) => !path.endsWith('-shm') });
  remount(disk, 'ro');

  const verified = await runInProcess(['verify', '--data', data]);
  assert.equal(verified.code, 1);
  const why = 'the file system is read-only; mount it for writing, or choose another folder';
  assert.equal(
    verified.stdout,
    ['directory.db', 'orders.db']
      .map((name) => `${name}: could not be checked: ${join(data, name)}: ${why}\n`)
      .join(''),
  );
  assert.equal(
    verified.stderr,
    'gazetteer: Some stored data could not be checked. Do what the lines above say, and verify again.\n',
  );
  for (const command of ['editions', 'import', 'audit']) {
    const words = command === 'import' ? [command, SAMPLE] : [command];
    const { code, stderr } = await runInProcess([...words, '--data', data]);
    assert.equal(code, 1, command);
    assert.match(stderr, /the file system is read-only; mount it for writing/, command);
  }
});
