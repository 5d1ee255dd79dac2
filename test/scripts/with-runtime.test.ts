/** The commands of package.json install the packages first, one at a time, also after one was killed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { demoCommand } from '../../src/cli/commands/demo.ts';
import { flagOf } from '../../src/config/settings.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

/** Plain JavaScript, which has no types. */
const { FIRST_OPTIONS, helpIn, mistakeIn }: FirstOptions = await import(
  new URL('../../scripts/first-options.mjs', import.meta.url).href
);

interface FirstOptions {
  readonly FIRST_OPTIONS: Readonly<Record<string, { readonly options: object }>>;
  readonly helpIn: (words: readonly string[], source: string) => string | undefined;
  readonly mistakeIn: (words: readonly string[]) => string | undefined;
}

/** Installs one package, which it first removes, as npm does. Hangs if a file says so. */
const NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
process.stderr.write(process.stderr.isTTY ? 'a bar that moves' : 'text for a log');
appendFileSync('log', existsSync('busy') ? 'both at once\\n' : 'install\\n');
writeFileSync('busy', '');
rmSync('node_modules', { recursive: true, force: true });
await delay(existsSync('hang') ? 60_000 : 200);
mkdirSync('node_modules/a', { recursive: true });
const packages = { 'node_modules/a': { version: '1.0.0' } };
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
rmSync('busy');
`;

const LOCKED = {
  packages: {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', optional: true },
  },
};

/** A checkout whose packages are not installed, with an npm that needs no network. */
function checkout(context: TestContext) {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'scripts'));
  for (const name of ['with-runtime', 'first-options', 'install-state', 'process-lock']) {
    cpSync(join(ROOT, `scripts/${name}.mjs`), join(folder, `scripts/${name}.mjs`));
  }
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write('npm.mjs', NPM);
  write('script.mjs', "console.log('ran', process.argv[2]);");
  write('package-lock.json', JSON.stringify(LOCKED));
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, ['scripts/with-runtime.mjs', 'script.mjs', 'word'], {
      cwd: folder,
      env: { ...process.env, npm_execpath: join(folder, 'npm.mjs') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    context.after(() => child.kill('SIGKILL'));
    return child;
  };
  return {
    start,
    write,
    path: (name: string) => join(folder, name),
    log: () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''),
    run: async (): Promise<string> => {
      const child = start();
      const [printed, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
      assert.equal(code, 0, printed);
      return printed;
    },
  };
}

it('every command of package.json installs first', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const commands = Object.values<string>(scripts).flatMap((command) => command.split(' && '));
  const others = commands.filter((each) => !each.startsWith('node scripts/with-runtime.mjs '));
  assert.deepEqual(others, ['npm run generate:reference']);
});

it('every script answers --help, without its work', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const files = Object.values<string>(scripts).flatMap((command) =>
    [...command.matchAll(/with-runtime\.mjs ((?:scripts|test)\/\S+)/g)].map(
      ([, file = '']) => file,
    ),
  );
  assert.ok(files.length > 20);
  for (const file of files) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const help = helpIn([file, '--help'], source);
    assert.ok(source.includes('help:') || (help ?? '').length > 30, file);
    assert.equal(helpIn([file, '--output', 'x'], source), undefined);
  }
  const printed = spawnSync(
    process.execPath,
    ['scripts/with-runtime.mjs', 'scripts/artifacts/make-artifacts.ts', '--help'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  assert.equal(printed.status, 0);
  assert.match(printed.stdout, /^Makes the files of a release.*--output FOLDER/s);
});

it('two commands that start at once install once, and both run', async (context) => {
  const { run, log } = checkout(context);
  const printed = await Promise.all([run(), run()]);
  for (const each of printed) assert.match(each, /^ran word$/m);
  assert.equal(log(), 'install\n');
  await run();
  assert.equal(log(), 'install\n');
});

it('the packages that somebody installed with npm ci are enough, until the lockfile changes', async (context) => {
  const { run, log, write, path } = checkout(context);
  const installed = (version: string) => {
    mkdirSync(path('node_modules'), { recursive: true });
    const packages = { 'node_modules/a': { version } };
    write('node_modules/.package-lock.json', JSON.stringify({ packages }));
  };
  installed('1.0.0');
  await run();
  assert.equal(log(), '');
  installed('0.9.0');
  await run();
  assert.equal(log(), 'install\n');
  write('package-lock.json', JSON.stringify({ ...LOCKED, lockfileVersion: 3 }));
  await run();
  assert.equal(log(), 'install\ninstall\n');
});

it('after an installation was killed, the next command waits for its npm, and installs', async (context) => {
  const { start, run, write, log, path } = checkout(context);
  write('hang', '');
  const killed = start();
  while (log() === '') await delay(20);
  const [installer, npm] = JSON.parse(readFileSync(path('.installing'), 'utf8')).ids;
  assert.equal(installer, killed.pid);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const next = [run(), run()];
  await delay(300);
  assert.equal(log(), 'install\n');
  rmSync(path('hang'));
  rmSync(path('busy'));
  process.kill(npm, 'SIGKILL');
  await Promise.all(next);
  assert.equal(log(), 'install\ninstall\n');
  assert.equal(existsSync(path('.installing')), false);
});

const SCRIPT = '/usr/bin/script';
const isMissing = process.platform !== 'linux' || !existsSync(SCRIPT);

it('on a terminal, npm shows its progress', {
  skip: isMissing && `${SCRIPT} of util-linux is not installed`,
}, async (context) => {
  const { path } = checkout(context);
  const command = `exec ${process.execPath} scripts/with-runtime.mjs script.mjs word`;
  const terminal = spawn(SCRIPT, ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: path('.'),
    env: { ...process.env, npm_execpath: path('npm.mjs'), SHELL: '/bin/sh' },
  });
  const shown = await text(terminal.stdout);
  assert.match(shown, /Installing[\s\S]*a bar that moves[\s\S]*ran word/);
});

describe('a mistake in an option', () => {
  const cases: readonly (readonly [words: string, mistake: string | undefined])[] = [
    ['--disable-warning=A src/main.ts demo', undefined],
    ['src/main.ts demo --port 8081 --data=my/demo', undefined],
    ['src/main.ts demo --help', undefined],
    ['scripts/test.ts --anything', undefined],
    ['scripts/check.ts', undefined],
    [
      'src/main.ts demo --prot 8081',
      'npm run demo -- has no option "--prot". Its options are --port, --data, --config, --help, --version.',
    ],
    ['src/main.ts demo 8081', /no option "8081"/.source],
    ['src/main.ts demo --port x', 'npm run demo -- --port must be a port: 0 to 65535. Got "x".'],
    ['src/main.ts demo --port=65536', /Got "65536"/.source],
    ['src/main.ts demo --data', 'npm run demo -- --data must name a folder. Got "".'],
    ['scripts/check.ts --fast', 'npm run check has no options. Got "--fast".'],
  ];
  for (const [words, mistake] of cases) {
    it(`is found, if there is one: ${words}`, () => {
      const found = mistakeIn(words.split(' '));
      if (mistake === undefined) assert.equal(found, undefined);
      else assert.ok(found?.includes(mistake), found ?? 'no mistake');
    });
  }

  it('ends the command before the packages are installed', async (context) => {
    const { path, log } = checkout(context);
    const words = ['scripts/with-runtime.mjs', 'scripts/check.ts', '--fast'];
    const child = spawn(process.execPath, words, {
      cwd: path('.'),
      env: { ...process.env, npm_execpath: path('npm.mjs') },
    });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.equal(code, 2);
    assert.equal(errors, 'npm run check has no options. Got "--fast".\n');
    assert.equal(log(), '');
  });

  it('is one of an option that the demo does not have', () => {
    const { settings, options = [] } = demoCommand;
    const flags = [...settings.map(flagOf), ...options.map(({ syntax }) => syntax.split(' ')[0])];
    const known = Object.keys(FIRST_OPTIONS['src/main.ts demo']?.options ?? {});
    const ofAll = ['--config', '--help', '-h', '--version', '-V'];
    assert.deepEqual(known.toSorted(), [...flags, ...ofAll].toSorted());
  });
});
