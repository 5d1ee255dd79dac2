/** The test runner: a file that hangs is ended and named, and the other files run all the same. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it, type TestContext } from 'node:test';
import { listenOnLoopback } from '../loopback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

/** Far more than a test that does not hang needs, also on a machine that is busy with other tests. */
const SECONDS_PER_TEST = 20;

it('kills and names each file that hangs, and runs the others', async (context) => {
  const child = await childWatch(context);
  const { code, stdout } = await runTests(context, {
    blocks: `it('blocks its thread', () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
    serves: `it('fails beside an open server', () => {
      createServer().listen(0, '127.0.0.1');
      assert.fail('the reason');
    });`,
    ignores: `it('does not end when it is asked to', async () => {
      process.on('SIGTERM', () => {});
      spawn(process.execPath, ['-e', ${JSON.stringify(child.script)}]);
      await new Promise(() => setInterval(() => {}, 1000));
    });`,
    passes: `it('passes', () => {});`,
  });
  await child.ended;
  assert.equal(code, 1);
  for (const name of ['blocks', 'serves', 'ignores']) {
    assert.match(
      stdout,
      new RegExp(`/${name}\\.test\\.ts was killed, because none of its tests ended for 20`),
    );
  }
  assert.match(stdout, /✖ fails beside an open server \(.*\nAssertionError.*the reason/);
  assert.match(stdout, /^1 passed, 3 failed, 0 skipped\n$/m);
});

it('says what failed and what was skipped, and counts both and what passed', async (context) => {
  const { code, stdout } = await runTests(context, {
    mixed: `
      it('passes', () => {});
      it('is skipped', { skip: true }, () => {});
      describe('a suite', () => {
        it('fails', () => assert.equal(1, 2));
        it('fails inside', (context) => context.test('the inner one', () => assert.fail('no')));
      });`,
    empty: '',
    browser: `describe('pages', { skip: 'there is no browser' }, () => it('is not run', () => {}));`,
  });
  assert.equal(code, 1);
  assert.match(stdout, /✖ fails \(.*mixed\.test\.ts:\d+\)\nAssertionError/);
  assert.match(stdout, /✖ the inner one /);
  assert.doesNotMatch(stdout, /✖ (a suite|fails inside)/);
  assert.match(stdout, /empty\.test\.ts has no test/);
  assert.match(stdout, /^Skipped \S+\/browser\.test\.ts: pages: there is no browser$/m);
  assert.match(stdout, /^Skipped \S+\/mixed\.test\.ts: is skipped: no reason is given$/m);
  assert.match(stdout, /^1 passed, 4 failed, 2 skipped\n$/m);
});

it('names a file that ends with another exit code', async (context) => {
  const { code, stdout } = await runTests(context, {
    exits: `it('passes', () => {}); process.on('exit', () => { process.exitCode = 3; });`,
  });
  assert.equal(code, 1);
  assert.match(stdout, /exits\.test\.ts ended with exit code 3/);
  assert.match(stdout, /^1 passed, 1 failed, 0 skipped\n$/m);
});

it('names a file that ends the process before its tests have ended', async (context) => {
  const { code, stdout } = await runTests(context, {
    ends: `it('ends the process', () => process.exit(0)); it('is not run', () => {});`,
  });
  assert.equal(code, 1);
  assert.match(stdout, /ends\.test\.ts ended the process before its tests had ended/);
});

for (const [what, words, sentence] of [
  ['a path without tests', ['test/nosuch'], /^test\/nosuch matches no test file\.$/m],
  [
    'an unknown commit',
    ['--changed', '--since', 'nosuch'],
    /^git diff .* nosuch --: fatal: bad revision 'nosuch'\n$/,
  ],
] as const) {
  it(`answers ${what} in a sentence`, async () => {
    const runner = spawn(process.execPath, ['scripts/test.ts', ...words], { cwd: ROOT });
    const [stderr, [code]] = await Promise.all([text(runner.stderr), once(runner, 'exit')]);
    assert.equal(code, 2);
    assert.match(stderr, sentence);
  });
}

it('prints what failed so far when it is stopped', async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(
    join(folder, 'stopped.test.ts'),
    `${IMPORTS}it('fails', () => assert.fail('the reason'));
     it('waits', () => new Promise(() => setInterval(() => {}, 1000)));`,
  );
  const words = ['scripts/test.ts', join(folder, 'stopped.test.ts')];
  const runner = spawn(process.execPath, words, { cwd: ROOT });
  let stdout = '';
  for await (const piece of runner.stdout.setEncoding('utf8')) {
    stdout += piece;
    if (stdout.includes('the reason')) runner.kill('SIGTERM');
  }
  assert.match(stdout, /Stopped by SIGTERM\.\n\n0 passed, 1 failed, 0 skipped/);
});

it('ends and names a process that outlives its file', async (context) => {
  const child = await childWatch(context);
  const { code, stdout } = await runTests(
    context,
    {
      leaves: `it('passes', async () => {
      const words = ['-e', ${JSON.stringify(child.script)}];
      const stdio = ['ignore', 'pipe', 'ignore'];
      const child = spawn(process.execPath, words, { detached: true, stdio });
      await once(child.stdout, 'data');
      child.stdout.destroy();
      child.unref();
    });`,
    },
    ['--seconds-to-end', '1'],
  );
  await child.ended;
  assert.equal(code, 1);
  assert.match(stdout, /leaves\.test\.ts left processes running: \S+ -e require/);
  assert.match(stdout, /^1 passed, 1 failed, 0 skipped\n$/m);
});

it('ends with exit code 0 when every test passes', async (context) => {
  const { code, stdout } = await runTests(context, { passes: `it('passes', () => {});` });
  assert.equal(code, 0);
  assert.match(stdout, /^1 passed, 0 failed, 0 skipped\n$/m);
});

it('lists the times of the files on request', async (context) => {
  const files = {
    works: `it('works without a pause', () => { while (process.cpuUsage().user < 5e5); });`,
  };
  const { stdout } = await runTests(context, files, ['--times']);
  assert.match(stdout, /^ +CPU s +wall s\n +\d+\.\d +\d+\.\d {2}1 files\n/m);
  assert.match(stdout, /^ +(?!0\.0)\d+\.\d +(?!0\.0)\d+\.\d {2}\S+\/works\.test\.ts$/m);
});

async function runTests(
  context: TestContext,
  files: Readonly<Record<string, string>>,
  options: readonly string[] = [],
) {
  const folder = temporaryFolder(context);
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(folder, `${name}.test.ts`), `${IMPORTS}${body}`);
  }
  const words = ['scripts/test.ts', '--seconds-per-test', String(SECONDS_PER_TEST), ...options];
  const runner = spawn(process.execPath, [...words, `${folder}/*.test.ts`], { cwd: ROOT });
  context.after(() => runner.kill());
  const [stdout, [code]] = await Promise.all([text(runner.stdout), once(runner, 'exit')]);
  return { code, stdout };
}

const IMPORTS = `
  import assert from 'node:assert/strict';
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { createServer } from 'node:net';
  import { describe, it } from 'node:test';
`;

/** What a child process is to run, and a promise that resolves once it has run and has ended. */
async function childWatch(context: TestContext) {
  const server = createServer();
  context.after(() => server.close());
  const port = await listenOnLoopback(server);
  const ended = once(server, 'connection').then(async ([socket]) => {
    context.after(() => socket.destroy());
    socket.on('error', () => {}).resume();
    await once(socket, 'close');
  });
  const connect = `require('node:net').connect(${port}, '127.0.0.1')`;
  return { ended, script: `${connect}.on('connect', () => console.log('connected'))` };
}
