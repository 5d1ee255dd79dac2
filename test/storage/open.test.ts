/** The URL of a store chooses its kind. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openStore, storeUrlOf } from '../../src/storage/open.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { storeOptions } from './store-options.ts';

it('a data folder with any name has a URL that opens it', async (context) => {
  const path = join(temporaryFolder(context), 'données 100%#?');
  const store = await openStore(storeUrlOf(path), storeOptions(path));
  const editions = await store.openEditions();
  editions.close();
  assert.ok(existsSync(join(path, 'directory.db')));
});

it('a store creates nothing before it is used, and nothing where data must exist', async (context) => {
  const path = join(temporaryFolder(context), 'data');
  const store = await openStore(storeUrlOf(path), storeOptions(path));
  const missing = { name: 'StorageError', kind: 'unusable' };
  await assert.rejects(store.openEditions({ mustExist: true }), missing);
  await assert.rejects(store.backUpOrders(join(path, 'backup')), missing);
  assert.equal(existsSync(path), false);
});

it('a URL of no known kind is refused without printing it', async () => {
  await assert.rejects(openStore('oracle://user:secret@host/database', storeOptions('data')), {
    name: 'StorageError',
    message:
      'There is no store for URLs that begin with oracle: Use one of file:, postgres:, postgresql:',
  });
});
