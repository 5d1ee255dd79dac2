/** The completion of shells, run in the shells themselves. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { flagOf, SETTINGS } from '../../src/config/settings.ts';
import { isInstalled } from '../documents/terminal.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

describe('bash', { skip: !isInstalled('bash') && 'bash is not installed' }, () => {
  let script = '';
  before(async () => {
    script = (await runInProcess(['completion', 'bash'])).stdout;
  });

  /** What bash offers for the last of the words. */
  const offered = (words: readonly string[], cwd = '.'): string[] => {
    const program = `${script}
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _gazetteer
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['--norc', '-c', program, 'bash', 'gazetteer', ...words];
    const output = execFileSync('bash', args, { encoding: 'utf8', cwd });
    return output.split('\n').filter((line) => line !== '');
  };

  it('completes commands, also after help', () => {
    assert.deepEqual(offered(['re']), ['restore']);
    assert.deepEqual(offered(['e']), ['export', 'editions']);
    assert.deepEqual(offered(['orders', 'h']), ['hold', 'holds']);
    assert.deepEqual(offered(['help', 'aud']), ['audit']);
    assert.deepEqual(offered(['help', 'database', 'm']), ['migrate']);
    assert.deepEqual(offered(['help', 'serve', '']), []);
    const all = new Set(COMMANDS.map(({ name }) => name.split(' ')[0]));
    assert.deepEqual(offered(['']), [...all, 'help', '--help', '--version']);
  });

  it('completes options, and flags of settings that are not secret', () => {
    assert.deepEqual(offered(['token', '--ex']), ['--expires']);
    assert.deepEqual(offered(['orders', 'export', '--o']), ['--output', '--orders-audit-key-file']);
    assert.deepEqual(offered(['nope', '--']), []);
    const flags = offered(['serve', '--']);
    const expected = Object.entries(SETTINGS).flatMap(([path, setting]) =>
      'isSecret' in setting ? [] : [flagOf(path)],
    );
    assert.deepEqual(
      expected.filter((flag) => !flags.includes(flag)),
      [],
    );
    assert.ok(!flags.includes('--trud-key') && flags.includes('--print-config'));
  });

  it('completes fixed choices', () => {
    assert.deepEqual(offered(['serve', '--log-format', '']), ['auto', 'json', 'text']);
    assert.deepEqual(offered(['serve', '--log-format', '=', 'j']), ['json']);
    assert.deepEqual(offered(['serve', '--log-format', '=']), ['auto', 'json', 'text']);
    assert.deepEqual(offered(['serve', '--metrics-port', '']), ['off']);
    assert.deepEqual(offered(['serve', '--log-requests', 'f']), ['false']);
    assert.deepEqual(offered(['serve', '--log-requests', '--pri']), ['--print-config']);
    assert.deepEqual(offered(['export', '--format', 'e']), ['epraccur']);
    assert.deepEqual(offered(['completion', '']), ['bash', 'zsh']);
    assert.deepEqual(offered(['serve', '--port', '']), []);
  });

  it('completes names of files and folders', (context) => {
    const folder = filesIn(context);
    assert.deepEqual(offered(['import', 'rel'], folder).sort(), ['release 1.zip', 'releases']);
    assert.deepEqual(offered(['import', '--report', 'release '], folder), ['release 1.zip']);
    assert.deepEqual(offered(['editions', '--data', 'rel'], folder), ['releases']);
    assert.deepEqual(offered(['editions', 'rel'], folder), []);
  });
});

describe('zsh', { skip: !isInstalled('zsh') && 'zsh is not installed' }, () => {
  let script = '';
  before(async () => {
    script = (await runInProcess(['completion', 'zsh'])).stdout;
  });

  /** The command line after the Tab key. */
  const completed = (context: TestContext, line: string): string => {
    const folder = filesIn(context);
    writeFileSync(join(folder, 'completion'), script);
    const program = `zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1= PROMPT_EOL_MARK=; unsetopt zle_bracketed_paste; autoload -U compinit"
      zpty -w shell "compinit -u -D; source ./completion; print -r -- RE''ADY"
      zpty -r shell seen '*READY*'
      zpty -w -n shell "$1"$'\\t'" ; print -r -- EN''D"$'\\n'
      zpty -r shell seen '*END*'
      print -r -- "$seen"
      zpty -d shell`;
    const seen = execFileSync('zsh', ['-f', '-c', program, 'zsh', line], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, TERM: 'dumb' },
    });
    return seen;
  };

  for (const [line, expected] of [
    ['gazetteer rest', 'gazetteer restore '],
    ['gazetteer orders era', 'gazetteer orders erase '],
    ['gazetteer help aud', 'gazetteer help audit '],
    ['gazetteer token --exp', 'gazetteer token --expires='],
    ['gazetteer serve --log-format j', 'gazetteer serve --log-format json '],
    ['gazetteer editions --data rel', 'gazetteer editions --data releases/'],
  ] as const) {
    it(`completes "${line}"`, (context) => {
      const seen = completed(context, line);
      assert.ok(seen.includes(expected), JSON.stringify(seen));
    });
  }
});

it('other shells are refused', async () => {
  const { code, stderr } = await runInProcess(['completion', 'fish']);
  assert.equal(code, 2);
  assert.equal(stderr, 'gazetteer: The shell must be bash or zsh. Got "fish".\n');
});

/** A folder with the file `release 1.zip` and the folder `releases`. */
function filesIn(context: TestContext): string {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'release 1.zip'), '');
  mkdirSync(join(folder, 'releases'));
  return folder;
}
