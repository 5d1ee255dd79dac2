/** The SQLite store of editions: the contract, and what is its own: files, checksums, modes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { writeFile as writeFileLater } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  EditionGoneError,
  type EditionStore,
} from '../../../src/directory/edition/edition-store.ts';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { openEditionStore } from '../../../src/storage/sqlite/editions/edition-store.ts';
import {
  arraysOf,
  describeEditionStore,
  descriptionOf,
  type EditionPlace,
  publishEdition,
  smallEdition,
} from '../edition-store.contract.ts';

function makePlace(): EditionPlace & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'gazetteer-editions-'));
  return {
    path,
    open: (now) => openEditionStore(openDataFolder(path), now),
    remove: () => rmSync(path, { recursive: true }),
  };
}

describeEditionStore(makePlace);

describe('the SQLite store of editions', () => {
  let place: ReturnType<typeof makePlace>;
  let store: EditionStore;
  const inFolder = (...names: string[]) => join(place.path, ...names);

  beforeEach(() => {
    place = makePlace();
    store = place.open(() => new Date(0));
  });
  afterEach(async () => {
    await store.close();
    place.remove();
  });

  it('lets only its user read the files', async () => {
    await publishEdition(store, 1);
    const draft = await store.begin();
    await draft.write('a', Uint8Array.of(1));
    const entries = readdirSync(place.path, { recursive: true, withFileTypes: true });
    assert.ok(entries.some(({ name }) => name === 'directory.db-wal'));
    assert.ok(entries.some(({ name }) => name === 'name.order.bin'));
    for (const entry of entries) {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      assert.equal(mode, entry.isDirectory() ? 0o700 : 0o600, entry.name);
    }
    assert.equal(statSync(place.path).mode & 0o777, 0o700);
  });

  it('loads an edition into one piece of memory, large enough to go back to the system', async () => {
    await publishEdition(store, 1);
    const [memory, ...others] = new Set(
      Object.values(await store.load(1)).map(({ buffer }) => buffer),
    );
    assert.deepEqual(others, []);
    assert.ok(memory !== undefined && memory.byteLength > 32 * 1024 ** 2);
  });

  it('keeps an edition as a folder of flat files with a manifest', async () => {
    await publishEdition(store, 1);
    assert.deepEqual(readdirSync(inFolder('editions')), ['000001']);
    assert.deepEqual(readdirSync(inFolder('editions', '000001')).sort(), [
      'changed.bin',
      'manifest.json',
      'name.order.bin',
      'name.rank-2.bin',
      'nothing.bin',
      'records.bytes.bin',
    ]);
    assert.deepEqual(
      readFileSync(inFolder('editions', '000001', 'name.order.bin')),
      Buffer.from(Uint16Array.of(65_534, 65_533, 65_532).buffer),
    );
  });

  const damages: readonly [string, string, (path: string) => void, RegExp][] = [
    ['a changed byte', 'records.bytes.bin', flipByte, /checksum is wrong/],
    ['a changed byte in the manifest', 'manifest.json', flipByte, /checksum is wrong/],
    [
      'a file cut short',
      'name.rank-2.bin',
      (path) => truncateSync(path, 8),
      /8 bytes instead of 4004/,
    ],
    [
      'a file made longer',
      'nothing.bin',
      (path) => writeFileSync(path, 'x'),
      /1 bytes instead of 0/,
    ],
    ['a missing file', 'changed.bin', (path) => rmSync(path), /is missing/],
    ['a missing manifest', 'manifest.json', (path) => rmSync(path), /is missing/],
  ];
  for (const [what, name, damage, reason] of damages) {
    it(`refuses to load an edition with ${what}, and names the file`, async () => {
      await publishEdition(store, 1);
      await publishEdition(store, 2);
      const path = inFolder('editions', '000001', name);
      damage(path);
      await assert.rejects(store.load(1), (error) => {
        assert.ok(error instanceof Error && 'kind' in error);
        assert.equal(error.kind, 'damaged');
        assert.ok(error.message.startsWith(`${path}: `), error.message);
        assert.match(error.message, reason);
        assert.match(error.message, /^[^\n]*$/);
        return true;
      });
      assert.equal((await store.current())?.number, 2);
    });
  }

  describe('while a thread reads an edition', {
    skip: process.platform === 'win32' && 'Windows has no named pipes',
  }, () => {
    /** Puts a pipe in place of a manifest: a reader waits until somebody writes into it. */
    const pipeFor = (path: string): Buffer => {
      const manifest = readFileSync(path);
      rmSync(path);
      execFileSync('mkfifo', [path]);
      return manifest;
    };

    it('the main thread continues', async () => {
      await publishEdition(store, 1);
      const path = inFolder('editions', '000001', 'manifest.json');
      const manifest = pipeFor(path);
      const loading = store.load(1);
      assert.equal((await store.current())?.number, 1);
      // The thread waits for this. If the main thread read the edition, it would wait for ever.
      await writeFileLater(path, manifest);
      assert.deepEqual({ ...(await loading) }, arraysOf(1));
    });

    it('an import that prunes it makes it an edition that is gone', async () => {
      await publishEdition(store, 1);
      const path = inFolder('editions', '000001', 'manifest.json');
      pipeFor(path);
      const other = place.open(() => new Date(0));
      const pipe = openSync(path, 'r+');
      const loading = store.load(1);
      await publishEdition(other, 2, 1);
      closeSync(pipe);
      await assert.rejects(loading, EditionGoneError);
      assert.equal((await store.current())?.number, 2);
      await other.close();
    });
  });

  it('clears leftovers away when an import begins, and leaves other things alone', async () => {
    await smallEdition(store, 1);
    for (const name of ['.draft-dead', '000002', '000099', 'notes']) {
      mkdirSync(inFolder('editions', name));
      writeFileSync(inFolder('editions', name, 'a.bin'), 'x');
    }
    mkdirSync(inFolder('temporary', 'copy'), { recursive: true });
    place.open(() => new Date(0)).close();
    assert.equal(readdirSync(inFolder('editions')).length, 5);
    assert.ok(existsSync(inFolder('temporary', 'copy')));
    await (await store.begin()).discard();
    assert.deepEqual(readdirSync(inFolder('editions')).sort(), ['000001', 'notes']);
    assert.equal(existsSync(inFolder('temporary')), false);
  });

  it('does not take the open draft of another process for a leftover', async () => {
    const draft = await store.begin();
    await draft.write('a', Uint8Array.of(1));
    const other = place.open(() => new Date(0));
    await assert.rejects(() => other.begin(), { kind: 'locked' });
    await other.close();
    assert.equal((await draft.publish(descriptionOf(1), { keep: 3 })).number, 1);
    assert.deepEqual({ ...(await store.load(1)) }, { a: Uint8Array.of(1) });
  });

  it('removes the folders of editions it no longer keeps', async () => {
    for (const seed of [1, 2, 3]) {
      await smallEdition(store, seed, 2);
    }
    assert.deepEqual(readdirSync(inFolder('editions')), ['000002', '000003']);
  });

  it('refuses a database of a newer version, and leaves it as it is', async () => {
    await store.close();
    const path = inFolder('directory.db');
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 1000');
    database.close();
    const before = readFileSync(path);
    assert.throws(() => place.open(() => new Date(0)), {
      kind: 'newer',
      message: /^\S+directory\.db: written by a newer version of Gazetteer \(schema 1000, /,
    });
    assert.deepEqual(readFileSync(path), before);
    assert.equal(existsSync(`${path}-wal`), false);
    store = makeSpare(place);
  });

  it('refuses a file that is not a database', async () => {
    await store.close();
    for (const end of ['', '-wal', '-shm']) {
      rmSync(inFolder(`directory.db${end}`), { force: true });
    }
    writeFileSync(inFolder('directory.db'), 'not a database '.repeat(1_000));
    assert.throws(() => place.open(() => new Date(0)), {
      kind: 'damaged',
      message: /directory\.db: the database is damaged/,
    });
    store = makeSpare(place);
  });

  it('answers while an import writes', async () => {
    await smallEdition(store, 1);
    const database = new DatabaseSync(inFolder('directory.db'));
    database.exec(`BEGIN IMMEDIATE; UPDATE edition SET source = 'unseen'`);
    assert.equal((await store.current())?.source, 'release-1.zip');
    database.close();
  });
});

/** Something for `afterEach` to close, in a place that the test has made unusable. */
function makeSpare(place: { readonly path: string }): EditionStore {
  return openEditionStore(openDataFolder(join(place.path, 'spare')));
}

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  const at = bytes.length >> 1;
  bytes[at] = bytes[at]! ^ 1;
  writeFileSync(path, bytes);
}
