/** Compiled code comes only from a folder that no other user can write to. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

const NO_POSIX =
  process.platform === 'win32' && 'Windows has neither POSIX permissions nor these links';

const NODE_WORDS = ['--disable-warning=ExperimentalWarning'];

/** Runs a program with a cache folder, and returns whether it kept compiled code. */
function keepsCode(home: string, run = runOther): boolean {
  const folder = join(home, 'gazetteer', 'compiled');
  const { status, stderr } = run({ XDG_CACHE_HOME: home });
  assert.equal(status, 0, stderr);
  return existsSync(folder) && readdirSync(folder).length > 0;
}

function runVersion(environment: NodeJS.ProcessEnv, cwd = ROOT) {
  const words = [...NODE_WORDS, join(ROOT, 'src/main.ts'), '--version'];
  return spawnSync(process.execPath, words, { env: environment, encoding: 'utf8', cwd });
}

function runOther(environment: NodeJS.ProcessEnv) {
  const words = [...NODE_WORDS, join(import.meta.dirname, 'compile-cache-program.ts')];
  return spawnSync(process.execPath, words, { env: environment, encoding: 'utf8', cwd: ROOT });
}

function compiledFolder(context: TestContext): string {
  const folder = join(temporaryFolder(context), 'gazetteer', 'compiled');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

it('code is kept in a new folder, and in one of this user', (context) => {
  const home = temporaryFolder(context);
  assert.ok(keepsCode(home, runVersion));
  assert.ok(keepsCode(home, runVersion));
  assert.ok(keepsCode(temporaryFolder(context)));
});

it('a folder that others can write to is not used', { skip: NO_POSIX }, (context) => {
  for (const mode of [0o777, 0o770]) {
    const folder = compiledFolder(context);
    chmodSync(folder, mode);
    assert.ok(!keepsCode(dirname(dirname(folder))), 'the folder itself');
    const inner = compiledFolder(context);
    chmodSync(dirname(inner), mode);
    assert.ok(!keepsCode(dirname(dirname(inner))), 'the folder above it');
  }
});

it('a link to a folder is not used', { skip: NO_POSIX }, (context) => {
  const home = temporaryFolder(context);
  symlinkSync(dirname(compiledFolder(context)), join(home, 'gazetteer'));
  assert.ok(!keepsCode(home));
});

const isRoot = process.getuid?.() === 0;

it('a folder of another user is not used', { skip: !isRoot && 'needs root' }, (context) => {
  const folder = compiledFolder(context);
  chownSync(folder, 4242, 4242);
  assert.ok(!keepsCode(dirname(dirname(folder))));
});

it('the program starts for a user without a home folder', { skip: NO_POSIX }, (context) => {
  const cwd = temporaryFolder(context);
  const { status, stderr } = runVersion({ HOME: '' }, cwd);
  assert.equal(status, 0, stderr);
  assert.deepEqual(readdirSync(cwd), []);
});
