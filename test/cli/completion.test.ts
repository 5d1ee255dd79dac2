/** Shell completion: the scripts, and what they ask the program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { gazetteer } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

describe('a shell is told', () => {
  const cases: readonly (readonly [words: readonly string[], told: string])[] = [
    [['hier'], 'hierarchy\t'],
    [['orders', 'er'], 'erase\t'],
    [['serve', '--por'], '--port\t'],
    [['completion', '--he'], '--help\t'],
  ];
  for (const [words, told] of cases) {
    it(`how “${words.join(' ')}” goes on`, async () => {
      const { code, stdout } = await gazetteer(['complete', '--', ...words]);
      assert.equal(code, 0);
      assert.ok(stdout.startsWith(told), stdout);
    });
  }
});

for (const shell of ['bash', 'zsh', 'fish']) {
  it(`there is a script for ${shell}, which asks the program`, async () => {
    const { code, stdout } = await gazetteer(['completion', shell]);
    assert.equal(code, 0);
    assert.match(stdout, /gazetteer complete --/);
  });
}

it('another shell is refused', async () => {
  const refused = await gazetteer(['completion', 'tcsh']);
  const stderr = 'gazetteer: <shell> must be bash, zsh or fish. Got "tcsh".\n';
  assert.deepEqual(refused, { code: 2, stdout: '', stderr });
});

it('the script for bash completes a command', async (context) => {
  const folder = temporaryFolder(context);
  const program = join(folder, 'gazetteer');
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'src/main.ts')} "$@"\n`);
  chmodSync(program, 0o755);
  const { stdout: script } = await gazetteer(['completion', 'bash']);
  // A part of the package bash-completion, which not every machine has.
  const words = `_get_comp_words_by_ref() { words=(gazetteer roll); cword=1; cur=roll; }`;
  const { stdout, stderr } = spawnSync('bash', ['--norc'], {
    input: `${script}\n${words}\n__gazetteer_complete\necho "\${COMPREPLY[@]}"\n`,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
  });
  assert.match(stdout, /^rollback\b/, stderr);
});
