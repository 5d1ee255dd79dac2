/** The data folder: made, kept private, or refused in one line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';

describe('a data folder', () => {
  let place: string;

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'gazetteer-data-'));
  });
  afterEach(() => rmSync(place, { recursive: true }));

  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it('is made with those above it, for its user alone', () => {
    const path = join(place, 'above', 'data');
    const folder = openDataFolder(path);
    assert.deepEqual(folder, {
      path,
      directoryDatabase: join(path, 'directory.db'),
      editions: join(path, 'editions'),
      ordersDatabase: join(path, 'orders.db'),
      auditKey: join(path, 'audit.key'),
      tokenKey: join(path, 'token-key.json'),
      webhooks: join(path, 'webhooks.json'),
      temporary: join(path, 'temporary'),
      postcodes: join(path, 'postcodes.bin'),
      practitioners: join(path, 'practitioners.bin'),
      cache: join(path, 'cache'),
      fetch: join(path, 'fetch'),
      sync: join(path, 'sync'),
      tables: join(path, 'tables'),
    });
    assert.equal(modeOf(path), 0o700);
    assert.equal(modeOf(folder.editions), 0o700);
    assert.deepEqual(openDataFolder(path), folder);
  });

  it('syncs the folder above each folder that it makes', () => {
    const paths = new Map<number, string>();
    const made: string[] = [];
    const synced: string[] = [];
    const restore = [
      after('mkdirSync', ([path]) => made.push(String(path))),
      after('openSync', ([path], file) => paths.set(Number(file), String(path))),
      after('fsyncSync', ([file]) => synced.push(paths.get(Number(file)) ?? '')),
    ];
    try {
      openDataFolder(join(place, 'above', 'data'));
    } finally {
      for (const undo of restore) undo();
    }
    assert.equal(made.length, 3);
    assert.deepEqual(synced, made.map(dirname));
  });

  it('has an absolute path, so that it stays the same wherever the program goes', () => {
    const path = join(place, 'data');
    assert.equal(openDataFolder(relative(process.cwd(), path)).path, path);
  });

  it('is made independent of the umask', () => {
    const path = join(place, 'data');
    const source = join(import.meta.dirname, '../../src/storage/files/data-folder.ts');
    const script = `import { openDataFolder } from ${JSON.stringify(source)};
      process.umask(0o777); openDataFolder(process.argv[1]);`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, path]);
    assert.equal(String(stderr), '');
    assert.equal(modeOf(path), 0o700);
    assert.equal(modeOf(join(path, 'editions')), 0o700);
  });

  const others: readonly [string, (path: string) => void][] = [
    ['is empty', () => {}],
    ['holds our data', (path) => writeFileSync(join(path, 'directory.db'), '')],
  ];
  for (const [what, fill] of others) {
    it(`that others may read is closed to them when it ${what}`, () => {
      const path = join(place, 'data');
      mkdirSync(path);
      fill(path);
      chmodSync(path, 0o755);
      openDataFolder(path);
      assert.equal(modeOf(path), 0o700);
    });
  }

  it('that others may read is refused when it holds something else', () => {
    writeFileSync(join(place, 'letter.txt'), '');
    chmodSync(place, 0o755);
    refuses(place, 'other users may read this folder, and it is not empty;');
    assert.equal(modeOf(place), 0o755);
    assert.equal(existsSync(join(place, 'editions')), false);
  });

  it('is refused where a file is in the way', () => {
    const file = join(place, 'file');
    writeFileSync(file, '');
    refuses(file, 'the path is a file, or lies inside one; choose another folder');
    refuses(join(file, 'data'), 'the path is a file, or lies inside one; choose another folder');
  });

  it('of another user is refused as such, also where a command needs data', {
    skip: process.getuid?.() !== 0 && 'only root can be another user',
  }, () => {
    chmodSync(place, 0o755);
    const data = join(place, 'data');
    openDataFolder(data);
    process.seteuid?.(65_534);
    try {
      const remedy = `this folder belongs to another user (uid 0); run the command as that user,`;
      refuses(data, remedy);
      assert.throws(() => openDataFolder(data, { mustExist: true }), /belongs to another user/);
      assert.throws(() => openDataFolder(join(data, 'x')), /cannot open this folder/);
    } finally {
      process.seteuid?.(0);
    }
  });

  it('that its user may not open is refused as such', {
    skip: process.getuid?.() === 0 && 'root may open everything',
  }, () => {
    const data = join(place, 'data');
    openDataFolder(data);
    chmodSync(data, 0);
    assert.throws(
      () => openDataFolder(data, { mustExist: true }),
      /cannot open this folder; run chmod/,
    );
    chmodSync(data, 0o700);
  });

  it('is refused where its user may not write', {
    skip: process.getuid?.() === 0 && 'root may write everywhere',
  }, () => {
    chmodSync(place, 0o500);
    refuses(join(place, 'data'), 'this user may not write here;');
    refuses(place, 'this user may not write here;');
    chmodSync(place, 0o700);
  });

  it('is refused where no folder can be made', () => {
    symlinkSync(join(place, 'nowhere'), join(place, 'dangling'));
    refuses(join(place, 'dangling'), 'the path is a file, or lies inside one;');
    refuses(join(place, 'dangling', 'data'), 'the path is a file, or lies inside one;');
  });
});

/** Tells of each call of a function of `node:fs` when it has been done; returns what ends that. */
function after(
  name: 'mkdirSync' | 'openSync' | 'fsyncSync',
  told: (args: readonly unknown[], result: unknown) => void,
): () => void {
  const original = fs[name];
  Reflect.set(fs, name, (...args: unknown[]) => {
    const result: unknown = Reflect.apply(original, fs, args);
    told(args, result);
    return result;
  });
  syncBuiltinESMExports();
  return () => {
    Reflect.set(fs, name, original);
    syncBuiltinESMExports();
  };
}

function refuses(path: string, reason: string): void {
  assert.throws(
    () => openDataFolder(path),
    (error) => {
      assert.ok(error instanceof Error);
      assert.equal(error.name, 'StorageError');
      assert.ok(error.message.startsWith(`${path}: ${reason}`), error.message);
      assert.match(error.message, /^[^\n]*$/);
      return true;
    },
  );
}
