/** Reading editions where nothing can be written: on a full disk, and until there is room. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { openWithoutWriting } from '../../../src/storage/sqlite/database/open-to-read.ts';
import { EditionCatalogue } from '../../../src/storage/sqlite/editions/edition-catalogue.ts';
import {
  openEditionReader,
  openEditionStore,
} from '../../../src/storage/sqlite/editions/edition-store.ts';
import { createLookup } from '../../../src/storage/sqlite/editions/lookup.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { publishEdition } from '../edition-store.contract.ts';
import { withAsyncSteps, withSteps } from '../steps.ts';

async function withEdition(context: TestContext) {
  const folder = openDataFolder(join(temporaryFolder(context), 'data'));
  const store = openEditionStore(folder, () => new Date(0));
  await publishEdition(store, 1);
  await store.close();
  return folder;
}

/** Like a full disk: SQLite cannot make a file, and neither can we. */
function fullDisk(name: string): void {
  if (name === 'PRAGMA journal_mode = WAL') throw Object.assign(new Error(), { errcode: 4874 });
  if (name === 'writeSync') throw Object.assign(new Error(), { code: 'ENOSPC' });
}

it('editions are read on a full disk, where no file can be made', async (context) => {
  const folder = await withEdition(context);
  const before = readdirSync(folder.path);
  const reasons: string[] = [];
  const reader = await withAsyncSteps(fullDisk, async () => {
    const opened = openEditionReader(folder, ({ message }) => reasons.push(message));
    assert.equal((await opened.current())?.number, 1);
    assert.deepEqual(await opened.findings(), []);
    assert.ok(Object.keys(await opened.load(1)).length > 0);
    return opened;
  });
  context.after(() => reader.close());
  assert.deepEqual(readdirSync(folder.path), before);
  assert.equal(reasons.length, 1);
  assert.match(reasons[0] ?? '', /directory\.db: there is no space left/);
});

it('the usual way is tried again until there is room, and what was published then is seen', async (context) => {
  const folder = await withEdition(context);
  let nowMs = 0;
  context.mock.method(performance, 'now', () => nowMs);
  let opens = 0;
  let isFull = true;
  const lookup = withSteps(fullDisk, () =>
    createLookup({
      path: folder.directoryDatabase,
      open: () => {
        opens++;
        if (isFull) throw Object.assign(new Error(), { errcode: 13 });
        return new DatabaseSync(folder.directoryDatabase, { readOnly: true });
      },
      openToRead: () => openWithoutWriting(folder.directoryDatabase),
      over: (database) => new EditionCatalogue(database),
    }),
  );
  context.after(() => lookup.close());
  isFull = false;
  assert.equal(
    lookup.query((catalogue) => catalogue.list().current()?.number),
    1,
  );
  assert.equal(opens, 1);
  const store = openEditionStore(folder);
  await publishEdition(store, 2);
  context.after(() => store.close());
  nowMs = 5_000;
  assert.equal(
    lookup.query((catalogue) => catalogue.list().current()?.number),
    2,
  );
  assert.equal(
    lookup.query((catalogue) => catalogue.list().infos().length),
    2,
  );
  assert.equal(opens, 2);
});

it('a database that is missing or damaged is refused, on any disk', async (context) => {
  const folder = await withEdition(context);
  rmSync(folder.directoryDatabase);
  const open = () => withSteps(fullDisk, () => openEditionReader(folder, () => {}));
  assert.throws(open, { name: 'StorageError' });
});
