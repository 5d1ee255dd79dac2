/** What `gazetteer verify` says of a data folder that lost one of its files, and what it cannot see. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { openEditionReader } from '../../src/storage/sqlite/editions/edition-store.ts';
import { importedSample } from '../imported-sample.ts';
import { createOperation, openStore } from '../storage/repository-place.ts';
import { ROOT } from '../tidy/source-files.ts';
import { runInProcess } from './run-in-process.ts';

const POSTCODES = join(ROOT, 'sample', 'postcodes.zip');

/** Each file or folder, and the line about it. */
const LOST: readonly (readonly [name: string, line: RegExp])[] = [
  ['orders.db', /^orders\.db: .*missing or empty, though its key, audit\.key, is there/m],
  ['audit.key', /^orders\.db: could not be checked: .*audit\.key: missing or empty/m],
  ['directory.db', /^directory\.db: .*missing or empty, though there are editions/m],
  ['editions', /^edition 1: .*manifest\.json: it is missing/m],
  ['editions/000001', /^edition 1: .*manifest\.json: it is missing/m],
  ['editions/000001/manifest.json', /^edition 1: .*manifest\.json: it is missing/m],
  ['editions/000001/rows.shapes.bin', /^edition 1: .*rows\.shapes\.bin: it is missing/m],
];

/** What the folder may lack: the program makes it again, or no other file tells that it was there. */
const NOT_NEEDED = [
  'postcodes.bin',
  'import.lock',
  'orders.db-wal',
  'orders.db-shm',
  'directory.db-wal',
  'directory.db-shm',
  'temporary',
];

describe('verify of a folder that lost', () => {
  for (const [name, line] of LOST) {
    it(`${name} names it, and fails`, async (context) => {
      const data = await folderWithData(context);
      rmSync(join(data, name), { recursive: true });
      const { code, stdout, stderr } = await runInProcess(['verify', '--data', data]);
      assert.match(stdout, line);
      assert.match(stderr, /^gazetteer: Some stored data (?:is missing or differs|could not)/);
      assert.equal(code, 1);
    });
  }

  for (const name of ['orders.db', 'directory.db']) {
    it(`the content of ${name} names it, and fails`, async (context) => {
      const data = await folderWithData(context);
      truncateSync(join(data, name));
      const { code, stdout } = await runInProcess(['verify', '--data', data]);
      assert.match(stdout, new RegExp(`^${name}: .*missing or empty, though`, 'm'));
      assert.equal(code, 1);
    });
  }

  it('every file of a folder is in one of the lists', async (context) => {
    const listed = [...NOT_NEEDED, ...LOST.map(([name]) => name)];
    const data = await folderWithData(context);
    assert.deepEqual(
      readdirSync(data).filter((name) => !listed.includes(name)),
      [],
    );
  });
});

it('a lost database of order responses is named by every command that needs it', async (context) => {
  const data = await folderWithData(context);
  rmSync(join(data, 'orders.db'));
  const head = `1:${'0'.repeat(64)}`;
  for (const words of [
    `verify --head ${head}`,
    'audit',
    'orders export',
    'orders holds',
    'subscriptions list',
    `backup ${join(data, 'backup')}`,
  ]) {
    const { code, stdout, stderr } = await runInProcess([...words.split(' '), '--data', data]);
    assert.match(stdout + stderr, /orders\.db: missing or empty, though its key/, words);
    assert.equal(code, 1, words);
  }
});

for (const [what, lose] of [
  ['lost', (path: string) => rmSync(path)],
  ['emptied', (path: string) => truncateSync(path)],
] as const) {
  it(`a database of editions that was ${what} is named by every command that needs it, and not made again`, async (context) => {
    const data = await folderWithData(context);
    const path = join(data, 'directory.db');
    lose(path);
    const isMade = () => existsSync(path) && statSync(path).size > 0;
    for (const words of [
      'show RR8',
      'search leeds',
      'editions',
      'verify',
      'rollback',
      `import ${join(ROOT, 'sample', 'organisations.zip')}`,
    ]) {
      const { code, stdout, stderr } = await runInProcess([...words.split(' '), '--data', data]);
      const loss = /directory\.db: missing or empty, though there are editions/;
      assert.match(stdout + stderr, loss, words);
      assert.equal(code, 1, words);
      assert.ok(!isMade(), words);
    }
    // A server opens it in this way when it starts.
    const unused = () => assert.fail();
    const start = () => openEditionReader(openDataFolder(data), unused);
    assert.throws(start, /though there are editions/);
    assert.ok(!isMade());
  });
}

it('a folder that has only the key is not taken for one without data', async (context) => {
  const data = await folderWithData(context);
  for (const name of readdirSync(data)) {
    if (name !== 'audit.key') rmSync(join(data, name), { recursive: true });
  }
  const { code, stdout } = await runInProcess(['verify', '--data', data]);
  assert.match(stdout, /^orders\.db: .*missing or empty, though its key/);
  assert.equal(code, 1);
});

/** With an edition, postcodes and one order response. */
async function folderWithData(context: TestContext): Promise<string> {
  const data = await importedSample(context);
  const postcodes = await runInProcess(['import-postcodes', POSTCODES, '--data', data, '--quiet']);
  assert.equal(postcodes.code, 0, postcodes.stderr);
  const orders = openStore(openDataFolder(data));
  orders.runBatch([createOperation('a')]);
  orders.close();
  return data;
}
