/** `bin/gazetteer` of the npm package: it runs on a Node that is new enough, or has npm fetch one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { NODE_MIN } from '../../src/config/version.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

/** The programs of the machine that the script needs. */
const TOOLS = ['dirname', 'readlink', 'sh', 'uname'];

/** Starts the program where the PATH has only this Node, and an npm that runs `npm`. */
function startOn(context: TestContext, version: string, npm: string, environment = {}) {
  const folder = temporaryFolder(context);
  for (const name of ['bin', 'dist', 'path']) mkdirSync(join(folder, name));
  cpSync(join(ROOT, 'bin/gazetteer'), join(folder, 'bin/gazetteer'));
  const node = (name: string) =>
    `#!/bin/sh\ncase $1 in --version) echo ${version};; *) echo "${name} ran $* with $MALLOC_ARENA_MAX areas, $MALLOC_MMAP_THRESHOLD_, $MALLOC_TRIM_THRESHOLD_";; esac\n`;
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, 'path', name), text, { mode: 0o700 });
  write('node', node('own'));
  write('fetched', node('fetched'));
  write('npm', `#!/bin/sh\n${npm.replace('FETCHED', join(folder, 'path/fetched'))}\n`);
  for (const tool of TOOLS) {
    const path = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim();
    symlinkSync(path, join(folder, 'path', tool));
  }
  return spawnSync(join(folder, 'bin/gazetteer'), ['serve'], {
    encoding: 'utf8',
    env: { ...environment, PATH: join(folder, 'path') },
  });
}

const announced = (version: string) =>
  `gazetteer: it cannot use Node ${version}. npm now downloads another one (220 MB), once.\n`;

for (const version of [`v${NODE_MIN}.0`, 'v26.0.1']) {
  it(`runs on Node ${version}`, (context) => {
    const { stdout } = startOn(context, version, 'exit 1');
    assert.match(stdout, /^own ran .*dist\/main\.js serve with 2 areas, 131072, 1048576$/m);
  });
}

it('leaves the number of areas of memory to who sets it', (context) => {
  const { stdout } = startOn(context, 'v26.0.1', 'exit 1', { MALLOC_ARENA_MAX: '8' });
  assert.match(stdout, / with 8 areas, 131072, 1048576$/m);
});

for (const version of ['v20.19.4', 'v24.3.0']) {
  it(`has npm fetch a Node instead of ${version}`, (context) => {
    const { stdout, stderr } = startOn(context, version, 'echo FETCHED');
    assert.match(
      stdout,
      /^fetched ran .*dist\/main\.js serve with 2 areas, 131072, 1048576$/m,
      stderr,
    );
    assert.equal(stderr, '');
  });

  it(`announces the download of a Node instead of ${version}`, (context) => {
    const npm = '[ "$2" = --yes ] && echo FETCHED';
    const { stdout, stderr } = startOn(context, version, npm);
    assert.match(stdout, /^fetched ran /m);
    assert.equal(stderr, announced(version));
  });

  it(`names the remedy if npm cannot fetch one instead of ${version}`, (context) => {
    const { status, stderr } = startOn(context, version, 'exit 1');
    assert.equal(status, 1);
    assert.equal(
      stderr,
      announced(version) +
        `gazetteer: it cannot use Node ${version}, and npm could not fetch another one. ` +
        `Install Node ${NODE_MIN} or newer.\n`,
    );
  });
}

for (const shell of ['sh', 'dash', 'bash']) {
  const isThere = spawnSync(shell, ['-c', ':']).status === 0;
  const skip = !isThere && `this machine has no ${shell}`;
  it(`finds its packages through a link to its folder, in ${shell}`, { skip }, (context) => {
    const folder = temporaryFolder(context);
    const [real, elsewhere] = [join(folder, 'real'), join(folder, 'elsewhere')];
    for (const each of ['bin', 'src', 'node_modules/.bin']) {
      mkdirSync(join(real, each), { recursive: true });
    }
    mkdirSync(elsewhere);
    cpSync(join(ROOT, 'bin/gazetteer'), join(real, 'bin/gazetteer'));
    writeFileSync(join(real, 'src/main.ts'), '');
    const node = join(real, 'node_modules/.bin/node');
    writeFileSync(node, '#!/bin/sh\necho "ran $*"\n', { mode: 0o700 });
    symlinkSync(join(real, 'bin'), join(elsewhere, 'bin'));
    symlinkSync(join(real, 'bin/gazetteer'), join(elsewhere, 'program'));
    for (const [cwd, path] of [
      [folder, join(elsewhere, 'bin/gazetteer')],
      [elsewhere, 'bin/gazetteer'],
      [join(elsewhere, 'bin'), './gazetteer'],
      [join(elsewhere, 'bin'), 'gazetteer'],
      [elsewhere, join(elsewhere, 'program')],
      [folder, join(real, 'bin/gazetteer')],
    ] as const) {
      const { stdout, stderr } = spawnSync(shell, [path, '--version'], {
        cwd,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, CDPATH: folder, PWD: cwd },
      });
      const program = join(realpathSync(real), 'src/main.ts');
      assert.equal(
        stdout,
        `ran --disable-warning=ExperimentalWarning ${program} --version\n`,
        stderr,
      );
    }
  });
}

it('has npm fetch the runtime that a checkout has', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const script = readFileSync(join(ROOT, 'bin/gazetteer'), 'utf8');
  for (const [name, version] of Object.entries(optionalDependencies)) {
    assert.ok(script.includes(`runtime=${name} `), name);
    assert.ok(script.includes(`@${version}"`), `${version}`);
  }
});
