/** Mistakes on the command line: one line says what is wrong, and nothing is made or started. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Command, CommandError } from '../../src/cli/parts/command.ts';
import { importedSample } from '../imported-sample.ts';
import { SAMPLE } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

const DATABASE = ['--database-url', 'postgres://gazetteer@db1/gazetteer'];

const CASES: readonly (readonly [words: string[], message: RegExp])[] = [
  [['import', 'none.zip'], /^gazetteer: There is no file "none\.zip": check the path\.\n$/],
  [['import', ''], /^gazetteer: There is no file "": check the path\.\n$/],
  [['import', '.'], /^gazetteer: "\." is a folder: name a file in it\.\n$/],
  [
    ['backup', 'new.db', ...DATABASE],
    /^gazetteer: Back up a database with the tools of PostgreSQL, such as pg_dump\. [^\n]+\n$/,
  ],
  [
    ['restore', 'none.db', ...DATABASE],
    /^gazetteer: Restore a database with [^\n]+, such as pg_restore\. [^\n]+ run "gazetteer move"/,
  ],
  [['restore', 'none.db'], /^gazetteer: \S+none\.db: there is no such file\n$/],
];
for (const [words, message] of CASES) {
  it(`"${words.join(' ')}" makes no data folder`, async (context) => {
    const data = join(temporaryFolder(context), 'data');
    const { code, stdout, stderr } = await runInProcess([...words, '--data', data]);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.equal(existsSync(data), false);
  });
}

const NONE = join('none', 'file');
const COLLECTOR = ['--telemetry-endpoint', 'http://127.0.0.1:4318'];
const FILES: readonly (readonly [flag: string, words: readonly string[]])[] = [
  ['--config', ['serve']],
  ['--tls-certificate', ['serve', '--tls-key', 'README.md']],
  ['--tls-key', ['serve', '--tls-certificate', 'README.md']],
  ['--trud-key-file', ['fetch']],
  ['--r4-key-file', ['serve', '--directory-source', 'r4']],
  ['--sync-token-file', ['sync', 'https://a.example/STU3']],
  ['--auth-jwks-file', ['serve', '--auth-issuer', 'https://issuer.example']],
  [
    '--auth-introspection-secret-file',
    [
      'serve',
      '--auth-introspection-url',
      'https://issuer.example/introspect',
      '--auth-introspection-client',
      'gazetteer',
    ],
  ],
  ['--directory-r4-api-keys', ['serve']],
  ['--telemetry-headers-file', ['import', SAMPLE, ...COLLECTOR]],
  ['--pages-logo', ['serve']],
  ['--database-password-file', ['serve', ...DATABASE]],
  ['--database-ca-file', ['orders', 'export', ...DATABASE]],
  ['--identity', ['restore', 'README.md']],
  ['--recipients-file', ['backup', 'new.backup']],
];
for (const [flag, words] of FILES) {
  it(`${flag} must name a file that exists, in "${words[0]}"`, async (context) => {
    const folder = temporaryFolder(context);
    const data = join(folder, 'data');
    const ended = await runInProcess([...words, '--data', data, flag, join(folder, NONE)]);
    assert.deepEqual([ended.code, ended.stdout], [2, '']);
    const start = `${flag} names ${JSON.stringify(join(folder, NONE))}, `;
    const end = `which does not exist. Create the file, or correct ${flag}.\n`;
    assert.ok(ended.stderr.endsWith(start + end), ended.stderr);
    assert.equal(existsSync(data), false);
  });
}

it('each file or folder that cannot be read has a line, which names the setting as it was given', async (context) => {
  const folder = temporaryFolder(context);
  const config = join(folder, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({ pages: { logo: folder }, directory: { reports: config } }),
  );
  const variables = { GAZETTEER_TRUD_KEY_FILE: NONE };
  const words = ['serve', '--data', join(folder, 'data'), '--config', config];
  const { code, stderr } = await runInProcess(words, variables);
  assert.equal(code, 2);
  const [logo, key] = [`pages.logo in ${config}`, 'GAZETTEER_TRUD_KEY_FILE'];
  const reports = `directory.reports in ${config}`;
  for (const line of [
    `${logo} names "${folder}", which is a folder. Put a file in its place, or correct ${logo}.`,
    `${reports} names "${config}", which is a file. Put a folder in its place, or correct ${reports}.`,
    `${key} names "${NONE}", which does not exist. Create the file, or correct ${key}.`,
  ]) {
    assert.ok(stderr.includes(`${line}\n`), stderr);
  }
  assert.equal((await runInProcess([...words, '--print-config'], variables)).code, 0);
});

it('the error that ends a server is one line of its log, or a sentence if the log is text', async (context) => {
  const keys = join(temporaryFolder(context), 'keys');
  writeFileSync(keys, 'no hash');
  const endOf = async (format: string, isTerminal = false) => {
    const words = ['serve', '--directory-r4-api-keys', keys, '--log-format', format];
    const { code, stderr } = await runInProcess(words, {}, undefined, isTerminal);
    assert.equal(code, 1);
    assert.match(stderr, /^[^\n]+\n$/);
    return stderr;
  };
  const { time, problem, ...line } = JSON.parse(await endOf('json'));
  assert.deepEqual(line, { level: 60, code: 'GZ140', msg: 'the server ends with an error' });
  assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(await endOf('text'), `gazetteer: ${problem}\n`);
  assert.ok(problem.includes(keys));
  assert.equal(await endOf('auto', true), `gazetteer: ${problem}\n`);
});

for (const [name, content, message] of [
  ['release.csv', 'RTG,DERBY\n', /^gazetteer: release\.csv [^\n]+\n$/],
  ['release.zip', 'PK\x03\x04 cut off', /^gazetteer: release\.zip [^\n]+\n$/],
  ['orders.json', '{"resourceType":"Patient"}', /^gazetteer: orders\.json [^\n]+\n$/],
] as const) {
  it(`a refused import of ${name} leaves nothing behind`, async (context) => {
    const folder = temporaryFolder(context);
    const file = join(folder, name);
    writeFileSync(file, content);
    const data = join(folder, 'new', 'data');
    const report = ['--report', join(folder, 'report.json')];
    const words = ['import', file, '--data', data, '--quiet', ...report];
    const { code, stderr } = await runInProcess(words);
    assert.equal(code, 1);
    assert.match(stderr, message);
    assert.deepEqual(readdirSync(folder), [name]);
  });
}

for (const [words, message] of [
  [
    ['import'],
    /^gazetteer: missing .* 'file'\nRun "gazetteer import --help" for its options and examples\.\n$/,
  ],
  [
    ['orders', 'erase', '--all'],
    /^gazetteer: Unknown option "--all"\. The options are --reason, [^\n]+\nRun/,
  ],
  [
    ['orders', 'erase', 'OrderResponse/a', '--version', 'x', '--reason', 'r'],
    /^gazetteer: --version must be the number of a version, from 1\. Got "x"\.\n$/,
  ],
  [['audit', '--user', ''], /^gazetteer: --user must be a name\. Got ""\.\n$/],
  [
    ['--port', '1', 'serve'],
    /^gazetteer: Unknown option "--port"\. The options are --version, --help\.\nPut options after the command, for example: gazetteer serve --port 8081\n$/,
  ],
  [
    ['frobnicate'],
    /^gazetteer: Unknown command "frobnicate"\. See "gazetteer --help" for [^\n]+\.\n$/,
  ],
  [
    ['orders', 'frobnicate'],
    /^gazetteer: Unknown command "frobnicate"\. The commands are export, erase, [^\n]+\.\n$/,
  ],
  [
    ['help', 'orders', 'exprt'],
    /^gazetteer: Unknown command "exprt"\. Did you mean "export"\? The commands are [^\n]+\n$/,
  ],
  [
    ['orders', '--data', 'x', 'export'],
    /^gazetteer: Unknown option "--data"\. The options are --version, --help\.\nPut options after the command/,
  ],
] as const) {
  it(`"${words.join(' ')}" says how to write the command`, async () => {
    const { code, stdout, stderr } = await runInProcess(words);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr, message);
  });
}

it('a command that cannot send telemetry says what to check, and does its work', async (context) => {
  const data = join(temporaryFolder(context), 'data');
  const words = ['import', SAMPLE, '--quiet', '--telemetry-endpoint', 'http://127.0.0.1:1'];
  const { code, stderr } = await runInProcess([...words, '--data', data]);
  assert.equal(code, 0);
  assert.match(
    stderr,
    /^gazetteer: Cannot send telemetry: traces: .*ECONNREFUSED.*\. Check telemetry\.endpoint and the collector\.$/m,
  );
});

it('an unknown search parameter of an export names the known ones', async () => {
  const { code, stderr } = await runInProcess(['export', 'nam=leeds', '--format', 'csv']);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^gazetteer: Unknown search parameter "nam"\. Did you mean "name"\? The search parameters are _id, [^\n]+\.\n$/,
  );
});

it('verify of the file of a backup says how a backup is checked', async () => {
  const { code, stderr } = await runInProcess(['verify', 'orders.backup']);
  assert.equal(code, 2);
  assert.match(stderr, /restore it into a new folder and verify that folder\.\nRun "gazetteer/);
});

it('a settings file may begin with a byte order mark', async (context) => {
  const file = join(temporaryFolder(context), 'config.json');
  writeFileSync(file, '\uFEFF{"port": 8081}');
  const { code, stdout } = await runInProcess(['serve', '--config', file, '--print-config']);
  assert.equal(code, 0);
  assert.match(stdout, /8081/);
});

it('the help describes each group of commands', async () => {
  const { stdout } = await runInProcess(['--help']);
  for (const group of ['orders', 'subscriptions', 'database']) {
    assert.match(stdout, new RegExp(`^  ${group}\\b.*  [A-Z][a-z]+`, 'm'));
  }
});

it('the error of a command is reported, even if what it opened cannot be closed', async () => {
  const command: Command = {
    name: 'try',
    summary: '',
    examples: [],
    settings: [],
    run: async () => {
      using _opened = {
        [Symbol.dispose]: () => {
          throw new Error('It cannot be closed.');
        },
      };
      throw new CommandError('The work failed.');
    },
  };
  const { code, stderr } = await runInProcess(['try'], {}, [command]);
  assert.deepEqual({ code, stderr }, { code: 1, stderr: 'gazetteer: The work failed.\n' });
});

const FILTERS: readonly (readonly [words: readonly string[], start: RegExp])[] = [
  [['search', '--as', 'foo'], /Unknown value "foo" of --as\. The values are code, /],
  [['search', 'leeds', '--status', 'foo'], /Unknown value "foo" of --status\. /],
  [['search', 'leeds', '--of', 'ZZZ'], /--of must be the code of an organisation, /],
  [['search', 'leeds', '--within', '5'], /--within needs the parameter --near\./],
  [['search', 'leeds', '--near', 'LS1 4AP'], /--near needs postcodes\. /],
  [
    ['search', '--as', 'foo', '--status', 'foo'],
    /Unknown value "foo" of --as\. .*Unknown value "foo" of --status\. /,
  ],
  [
    ['events', '--since', '2026-01-01', '--kind', 'foo'],
    /Unknown value "foo" of --kind\. See .*"gazetteer events --help" for the list of values\./,
  ],
];
for (const [words, message] of FILTERS) {
  it(`"${words.join(' ')}" names its options as they are written`, async (context) => {
    const data = await importedSample(context);
    const { code, stdout, stderr } = await runInProcess([...words, '--data', data]);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr, message);
  });
}

it('the error about a folder in place of a file names no kind of file that the command does not take', async (context) => {
  const folder = temporaryFolder(context);
  for (const command of ['import', 'import-postcodes', 'import-practitioners']) {
    const { stderr } = await runInProcess([command, folder, '--data', join(folder, 'data')]);
    assert.equal(stderr, `gazetteer: ${JSON.stringify(folder)} is a folder: name a file in it.\n`);
  }
});
