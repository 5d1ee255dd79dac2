/** A data folder that a failed command created: it is removed, unless somebody needs it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import { acquireLock, removeNewFolder } from '../../src/storage/files/lock.ts';
import { openEditionStore } from '../../src/storage/sqlite/editions/edition-store.ts';
import { createFileContents } from '../../src/storage/sqlite/file-contents.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A folder in which an import began and ended without an edition. */
async function newFolder(context: TestContext) {
  const place = temporaryFolder(context);
  let made = '';
  const onMade = (_: string, first: string) => {
    made = first;
  };
  const folder = openDataFolder(join(place, 'above', 'data'), { onMade });
  const store = openEditionStore(folder);
  await (await store.begin()).discard();
  await store.close();
  return { place, folder, remove: () => removeNewFolder(folder, made) };
}

describe('a data folder that a failed command created', () => {
  it('is removed after a move that failed while it put the files in place', async (context) => {
    const path = join(temporaryFolder(context), 'data');
    const reserved = await createFileContents(path).reserveAsTarget();
    rmdirSync(join(path, 'editions'));
    reserved[Symbol.dispose]();
    assert.ok(!existsSync(path));
  });

  it('is removed with the folders above it that were created too', async (context) => {
    const { place, remove } = await newFolder(context);
    assert.equal(remove(), true);
    assert.deepEqual(readdirSync(place), []);
  });

  it('is removed from a folder above it that others use by now', async (context) => {
    const { place, remove } = await newFolder(context);
    mkdirSync(join(place, 'above', 'other'));
    assert.equal(remove(), true);
    assert.deepEqual(readdirSync(join(place, 'above')), ['other']);
  });

  const stays: readonly (readonly [name: string, fill: (folder: DataFolder) => void])[] = [
    ['order responses', ({ ordersDatabase }) => writeFileSync(ordersDatabase, '')],
    ['a key', ({ tokenKey }) => writeFileSync(tokenKey, '')],
    ['an edition', ({ editions }) => mkdirSync(join(editions, '000001'))],
    ['the state of a sync', ({ sync }) => mkdirSync(join(sync, 'peer'), { recursive: true })],
  ];
  for (const [name, fill] of stays) {
    it(`stays if it has ${name}`, async (context) => {
      const { folder, remove } = await newFolder(context);
      fill(folder);
      assert.equal(remove(), false);
      assert.ok(existsSync(folder.directoryDatabase));
    });
  }

  for (const name of ['serve', 'import', 'sync'] as const) {
    it(`stays while another process holds the lock "${name}"`, async (context) => {
      const { folder, remove } = await newFolder(context);
      const lock = acquireLock(folder.path, name);
      assert.equal(remove(), false);
      assert.ok(existsSync(folder.directoryDatabase));
      lock.release();
      assert.equal(remove(), true);
    });
  }
});
