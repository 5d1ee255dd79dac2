/** Shell completion: the scripts, and what they ask the program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { program } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

describe('a shell is told', () => {
  const cases: readonly (readonly [words: readonly string[], told: string])[] = [
    [['hier'], 'hierarchy\t'],
    [['orders', 'er'], 'erase\t'],
    [['serve', '--por'], '--port\t'],
    [['completion', '--he'], '--help\t'],
    [['search', '--role', 'gp', '--tow'], '--town\t'],
    [['help', 'roll'], 'rollback\t'],
  ];
  for (const [words, told] of cases) {
    it(`how “${words.join(' ')}” goes on`, async () => {
      const { code, stdout } = await runInProcess(['complete', '--', ...words]);
      assert.equal(code, 0);
      assert.ok(stdout.startsWith(told), stdout);
    });
  }
});

describe('a shell completes names of files itself', () => {
  const cases: readonly (readonly string[])[] = [
    ['import', ''],
    ['serve', '--data', ''],
    ['serve', '--data', '--'],
    ['serve', '--data', '=', '/'],
  ];
  for (const words of cases) {
    it(`after “${words.join(' ')}”`, async () => {
      const told = await runInProcess(['complete', '--', ...words]);
      assert.deepEqual(told, { code: 0, stdout: '', stderr: '' });
    });
  }
});

it('the request of the scripts is no command', async () => {
  assert.equal((await runInProcess(['complete'])).code, 2);
});

it('another shell is refused', async () => {
  const refused = await runInProcess(['completion', 'tcsh']);
  const stderr = 'gazetteer: <shell> must be bash, zsh or fish. Got "tcsh".\n';
  assert.deepEqual(refused, { code: 2, stdout: '', stderr });
});

for (const shell of ['bash', 'zsh', 'fish']) {
  it(`the script for ${shell} evaluates no text`, async () => {
    const { code, stdout } = await runInProcess(['completion', shell]);
    assert.equal(code, 0);
    assert.match(stdout, /gazetteer complete -- /);
    assert.doesNotMatch(stdout, /\beval\b|compgen -W|\bsh -c\b/);
  });
}

describe('bash, when the user presses TAB', () => {
  it('completes a command', async (context) => {
    const { screen } = await pressTab(context, 'gazetteer rollb');
    assert.match(screen, /gazetteer rollback /);
  });

  it('completes an option after the value of another one', async (context) => {
    const { screen } = await pressTab(context, 'gazetteer search --role=gp --tow');
    assert.match(screen, /--town /);
  });

  const harmful: readonly string[] = [
    'gazetteer $(touch ran) ',
    'gazetteer search "$(touch ran)" --t',
    'gazetteer `touch ran` se',
    "gazetteer search '; touch ran; ' --t",
    'gazetteer search --town=$(touch ran)',
    "gazetteer search '$(touch ran)",
    'gazetteer search $(touch ran',
  ];
  for (const line of harmful) {
    it(`runs nothing of ${line}`, async (context) => {
      const { folder, screen } = await pressTab(context, line);
      assert.match(screen, /gazetteer/);
      assert.equal(existsSync(join(folder, 'ran')), false);
    });
  }
});

/** In an interactive bash with the script. Ctrl+U then removes the line before it runs. */
async function pressTab(context: TestContext, line: string) {
  const folder = temporaryFolder(context);
  const command = join(folder, 'gazetteer');
  writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${program()} "$@"\n`);
  chmodSync(command, 0o755);
  const { stdout: script } = await runInProcess(['completion', 'bash']);
  writeFileSync(join(folder, 'script'), script);
  const { stderr } = spawnSync('bash', ['--norc', '-i'], {
    cwd: folder,
    input: `source ./script\n${line}\t\u0015\nexit\n`,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, TERM: 'dumb' },
    encoding: 'utf8',
  });
  return { folder, screen: stderr };
}
