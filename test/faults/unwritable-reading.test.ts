/** Data folders that cannot be written: every command that reads works, and none speaks of damage. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import { type Ended, gazetteer, SAMPLE } from '../journeys/program.ts';
import { createOperation, openStore } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { whyNoLibrary } from './compile-library.ts';
import { fill } from './fill.ts';
import { createInjector } from './injector.ts';
import { mount, remount } from './mount.ts';

const POSTCODES = join(ROOT, 'sample', 'postcodes.zip');
const SIZE_BYTES = 32 * 1024 * 1024;

/** Commands that only read the data folder. */
const READING = [
  'search leeds',
  'near LS1',
  'show RR8',
  'export --format csv',
  'report epraccur',
  'resolve RR8',
  'hierarchy RR8',
  'match LEEDS',
  'postcodes LS1',
  'practitioner --of RR8',
  'roles',
  'events --since 2020-01-01',
  'editions',
  'orders holds',
  'subscriptions list',
  'audit',
  'verify',
  'verify --from-nothing',
];

/** Some that write to it, and what they say. */
const WRITING = [`import ${SAMPLE} --again`];
const REASONS = {
  full: /there is no (?:space|room) left/i,
  'read-only': /the file system is read-only; mount it for writing/,
};

/** Commands that write to the folder, such as an audit entry, or do not use its data. */
const OTHERS = [
  ['serve', 'demo', 'import', 'import-postcodes', 'import-practitioners', 'fetch', 'sync'],
  ['rollback', 'token', 'orders export', 'orders erase', 'orders rewrite', 'orders hold'],
  ['orders release'],
  ['subscriptions test', 'subscriptions off', 'backup', 'restore', 'move'],
  ['database migrate', 'database grants', 'database confirm-losses', 'doctor', 'completion'],
  // It uses the same way to the data as "events", until its input ends.
  ['mcp'],
].flat();

it('every command is in one of the lists', () => {
  const isListed = (name: string) => READING.some((words) => `${words} `.startsWith(`${name} `));
  const unlisted = COMMANDS.map(({ name }) => name).filter(
    (name) => !isListed(name) && !OTHERS.includes(name),
  );
  assert.deepEqual(unlisted, []);
});

/** What SQLite left beside each database. */
const STATES = [
  { name: 'after a server that was killed', left: ['-wal', '-shm'] },
  { name: 'after a restart of the machine', left: ['-wal'] },
  { name: 'after a server that ended', left: [] },
] as const;

describe('on a full and on a read-only disk', () => {
  for (const { name, left } of STATES) {
    it(`every command that reads answers as elsewhere ${name}`, async (context) => {
      const source = await folderWithData(context, left.length > 0);
      const run = (words: string, folder: string) =>
        runInProcess([...words.split(' '), '--data', folder]);
      const expected = new Map<string, Ended>();
      for (const words of READING) expected.set(words, await run(words, source));
      const verified = expected.get('verify');
      assert.ok(verified !== undefined);
      assert.equal(verified.code, 0, verified.stderr);
      assert.match(verified.stdout, /^orders\.db: sound, 1 order response/m);
      for (const disk of ['full', 'read-only'] as const) {
        const data = await copyOn(context, source, disk, left);
        if (data === undefined) return;
        for (const words of READING) {
          assert.deepEqual(await run(words, data), expected.get(words), words);
        }
        for (const words of WRITING) {
          const { code, stderr } = await run(words, data);
          assert.match(stderr, REASONS[disk], words);
          assert.equal(code, 1, words);
        }
      }
    });
  }
});

/** A user without rights, as which root can run programs. */
const OTHER_USER = 65_534;

describe('for a user who may not write', { skip: whyNoOtherUser() }, () => {
  for (const { name, left } of STATES) {
    it(`commands that read answer as elsewhere ${name}`, async (context) => {
      const source = await folderWithData(context, left.length > 0);
      const place = temporaryFolder(context);
      const data = join(place, 'data');
      copyWith(source, data, left);
      chmodSync(place, 0o755);
      giveTo(OTHER_USER, data);
      for (const words of ['show RR8', 'editions', 'audit', 'verify']) {
        const expected = await runInProcess([...words.split(' '), '--data', source]);
        assert.deepEqual(runAs(OTHER_USER, [...words.split(' '), '--data', data]), expected, words);
      }
    });
  }
});

it('an error of the disk is reported as such, and not as damage', {
  skip: whyNoLibrary(),
}, async (context) => {
  const data = await folderWithData(context, false);
  const injector = createInjector(context);
  const faults = [
    ...['directory.db$', 'orders.db$'].flatMap((path) =>
      [0, 4_096, 8_192, 20_000].map((after) => `path=${path} after=${after}`),
    ),
    'path=rows.shapes.bin$',
  ];
  for (const fault of faults) {
    injector.inject(`read=${constants.errno.EIO} ${fault}`);
    const { environment } = injector;
    const { code, stdout, stderr } = await gazetteer(['verify', '--data', data], { environment });
    assert.doesNotMatch(stdout + stderr, /damage|differs|[Rr]estore|Import/, fault);
    assert.match(stdout, /: could not be checked: .*check (?:it|the disk)/, fault);
    assert.match(stderr, /Some stored data could not be checked/, fault);
    assert.equal(code, 1, fault);
  }
});

function whyNoOtherUser(): string | false {
  if (process.getuid?.() !== 0) return 'only root can be another user';
  const { code } = runAs(OTHER_USER, ['--version']);
  return code !== 0 && 'another user may not read the program';
}

function runAs(uid: number, words: readonly string[]): Ended {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/main.ts'), ...words],
    {
      uid,
      gid: uid,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1' },
    },
  );
  return { code: status, stdout, stderr };
}

/** The user may read everything in the folder, and write nothing. */
function giveTo(uid: number, folder: string): void {
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const path = join(folder, name);
    chownSync(path, uid, uid);
    chmodSync(path, statSync(path).isDirectory() ? 0o500 : 0o400);
  }
}

/** With an edition, postcodes and one order response. `isOpen`: a store still has it open. */
async function folderWithData(context: TestContext, isOpen: boolean): Promise<string> {
  const data = await importedSample(context);
  const postcodes = await runInProcess(['import-postcodes', POSTCODES, '--data', data, '--quiet']);
  assert.equal(postcodes.code, 0, postcodes.stderr);
  const orders = openStore(openDataFolder(data));
  orders.runBatch([createOperation('a')]);
  if (isOpen) context.after(() => orders.close());
  else orders.close();
  return data;
}

/** Undefined if the test is skipped, because a file system cannot be mounted. */
async function copyOn(
  context: TestContext,
  source: string,
  disk: 'full' | 'read-only',
  left: readonly string[],
): Promise<string | undefined> {
  const path = mkdtempSync(join(tmpdir(), 'gazetteer-disk-'));
  const reason = mount(context, path, SIZE_BYTES);
  if (reason !== undefined) {
    context.skip(`a separate file system cannot be mounted: ${reason}`);
    return undefined;
  }
  const data = join(path, 'data');
  copyWith(source, data, left);
  if (disk === 'full') fill(path, join(path, 'filler'));
  else assert.equal(remount(path, 'ro'), undefined);
  return data;
}

/** Copies a folder, of the files beside its databases only those with these ends. */
function copyWith(source: string, target: string, left: readonly string[]): void {
  const isKept = (name: string) => {
    const [end] = /-(?:wal|shm)$/.exec(name) ?? [];
    return end === undefined || left.some((each) => each === end);
  };
  cpSync(source, target, { recursive: true, filter: isKept });
}
