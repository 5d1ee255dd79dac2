/** The commands of package.json install the packages first, one at a time, also after one was killed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

/** Installs one package, which it first removes, as npm does. Hangs if a file says so. */
const NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
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
  for (const name of ['with-runtime', 'install-state', 'process-lock']) {
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
