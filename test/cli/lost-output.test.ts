/** Output that cannot be written: every command that prints says so, and its exit code is 1. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { type Command, CommandError } from '../../src/cli/parts/command.ts';
import { runProgram } from '../../src/cli/program.ts';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { writeFiles } from '../directory/practitioners/practitioner-files.ts';
import { importedSample } from '../imported-sample.ts';
import { keptEnvironment, program, SAMPLE } from '../journeys/program.ts';
import { createOperation, openStore } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

const REASON = ['--reason', 'a'];
const POSTCODES = join(ROOT, 'sample', 'postcodes.zip');

/**
 * What commands print, in this order, because some need what others did. `FILE` and `FILES` are
 * replaced: a file that does not exist, and files of practitioners.
 */
const PRINTED: readonly (readonly string[])[] = [
  ['import', SAMPLE, '--again', '--json'],
  ['import', SAMPLE, '--again'],
  ['import-postcodes', POSTCODES],
  ['import-practitioners', 'FILES'],
  ['editions'],
  ['rollback'],
  ['search', 'leeds'],
  ['show', 'RTG'],
  ['near', 'LS1 4AP'],
  ['events', '--since', '2000-01-01'],
  ['resolve', 'RTG'],
  ['hierarchy', 'RTG'],
  ['match', 'leeds teaching hospitals'],
  ['postcodes', 'LS1 4AP'],
  ['roles'],
  ['roles', '--csv'],
  ['practitioner', 'c9000001'],
  ['report', '--list'],
  ['report', 'epraccur'],
  ['export', '--format', 'csv'],
  ['export', '--format', 'sqlite', '--output', 'FILE'],
  ['orders', 'hold', 'a', ...REASON],
  ['orders', 'holds'],
  ['orders', 'release', 'a'],
  ['orders', 'export'],
  ['orders', 'export', '--output', 'FILE'],
  ['orders', 'erase', 'a', ...REASON],
  ['orders', 'rewrite'],
  ['audit'],
  ['subscriptions', 'list', '--help'],
  ['verify'],
  ['verify', '--json'],
  ['backup', 'FILE'],
  ['token'],
  ['doctor'],
  ['completion', 'bash'],
  ['database', 'grants', '--serve-role', 'a'],
  ['serve', '--print-config'],
  ['--help'],
  ['--version'],
  ['help', 'search'],
  ['complete', '--', 'gazetteer', 'se'],
];

/** Commands that need another server, a database, a backup or a long time. They print in the same way. */
const NOT_TRIED = new Set([
  'fetch',
  'sync',
  'mcp',
  'demo',
  'move',
  'restore',
  'subscriptions test',
  'subscriptions off',
  'database migrate',
  'database confirm-losses',
]);

class Failing extends Writable {
  constructor(code: string) {
    super({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
    });
  }
}

async function runInto(output: Writable, words: readonly string[], commands?: readonly Command[]) {
  let stderr = '';
  const errors = new Writable({
    write: (chunk, _encoding, done) => {
      stderr += chunk;
      done();
    },
  });
  const surroundings = {
    program: '',
    environment: {},
    streams: { input: Readable.from([]), output, errors },
    stopped: new AbortController().signal,
    onReload: () => {},
  };
  return { code: await runProgram(words, surroundings, commands), stderr };
}

const NO_SPACE = 'gazetteer: There is no space left for standard output. Free some disk space.\n';

describe('output that cannot be written', () => {
  it('ends every command with exit code 1 and one line', async (context) => {
    const data = await importedSample(context);
    const folder = temporaryFolder(context);
    const store = openStore(openDataFolder(data));
    store.runBatch([createOperation('a')]);
    store.close();
    const files = writeFiles(join(folder, 'files'));
    for (const [i, words] of PRINTED.entries()) {
      const given = words.flatMap((word) =>
        word === 'FILES' ? files : [word === 'FILE' ? join(folder, String(i)) : word],
      );
      const takesData = COMMANDS.some(
        ({ name, settings }) =>
          `${words.join(' ')} `.startsWith(`${name} `) && settings.includes('data'),
      );
      const all = takesData ? [...given, '--data', data] : given;
      const { code, stderr } = await runInto(new Failing('ENOSPC'), all);
      assert.ok(stderr.endsWith(NO_SPACE), `${words.join(' ')}: ${stderr}`);
      assert.equal(stderr.split(NO_SPACE).length, 2, `${words.join(' ')}: ${stderr}`);
      assert.equal(code, 1, words.join(' '));
    }
  });

  it('is tried with all commands', () => {
    const tried = PRINTED.map((words) => `${words.join(' ')} `);
    const names = COMMANDS.map(({ name }) => name);
    assert.deepEqual(
      names.filter(
        (name) => !NOT_TRIED.has(name) && !tried.some((each) => each.startsWith(`${name} `)),
      ),
      [],
    );
    assert.deepEqual(
      [...NOT_TRIED].filter((name) => !names.includes(name)),
      [],
    );
  });

  it('is no error if the reader stopped early', async () => {
    const { code, stderr } = await runInto(new Failing('EPIPE'), ['--help']);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  const failingCommand = (message: string): Command => ({
    name: 'try',
    summary: '',
    examples: [],
    settings: [],
    run: async ({ streams }) => {
      streams.output.write('a');
      throw new CommandError(message);
    },
  });

  it('is reported besides another error of the command', async () => {
    const commands = [failingCommand('It failed.')];
    const { code, stderr } = await runInto(new Failing('EIO'), ['try'], commands);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^gazetteer: It failed\.\ngazetteer: standard output cannot be written: the disk reports an error\. /,
    );
  });
});

it('errors that cannot be written do not change the exit code', async () => {
  const surroundings = {
    program: '',
    environment: {},
    streams: {
      input: Readable.from([]),
      output: new Writable({ write: (_chunk, _encoding, done) => done() }),
      errors: new Failing('ENOSPC'),
    },
    stopped: new AbortController().signal,
    onReload: () => {},
  };
  assert.equal(await runProgram(['frobnicate'], surroundings), 2);
});

it('a process whose standard output is full ends with exit code 1', () => {
  const full = openSync('/dev/full', 'w');
  const words = ['--disable-warning=ExperimentalWarning', program(), 'completion', 'bash'];
  const { status, stderr } = spawnSync(process.execPath, words, {
    env: keptEnvironment(),
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  assert.equal(stderr, NO_SPACE);
  assert.equal(status, 1);
});
