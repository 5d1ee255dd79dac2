/** Mistakes on the command line: one line says what is wrong, and nothing is made or started. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { SAMPLE } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

const ISSUER = ['--auth-issuer', 'https://issuer.example'];

const DATABASE = ['--database-url', 'postgres://gazetteer@db1/gazetteer'];

const CASES: readonly (readonly [words: string[], message: RegExp])[] = [
  [['import', 'none.zip'], /^gazetteer: There is no file "none\.zip": check the path\.\n$/],
  [['import', ''], /^gazetteer: There is no file "": check the path\.\n$/],
  [['import', '.'], /^gazetteer: "\." is a folder: give the release file itself\.\n$/],
  [
    ['backup', 'new.db', ...DATABASE],
    /^gazetteer: Back up a database with the tools of PostgreSQL, such as pg_dump\. [^\n]+\n$/,
  ],
  [
    ['restore', 'none.db', ...DATABASE],
    /^gazetteer: Restore a database with [^\n]+, such as pg_restore\. [^\n]+ run "gazetteer move"/,
  ],
  [['restore', 'none.db'], /^gazetteer: \S+none\.db: there is no such file\n$/],
  [
    ['serve', '--auth-jwks-file', 'none.json', ...ISSUER],
    /^gazetteer: Cannot read none\.json: [^\n]+\n$/,
  ],
  [
    [
      'serve',
      ...['--auth-introspection-url', 'https://issuer.example/introspect'],
      ...['--auth-introspection-client', 'gazetteer'],
      ...['--auth-introspection-secret-file', 'none.txt'],
    ],
    /^gazetteer: Cannot read none\.txt: [^\n]+\n$/,
  ],
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
    /^error: missing .* 'file'\nRun "gazetteer import --help" for its options and examples\.\n$/,
  ],
  [
    ['orders', 'erase', '--all'],
    /^error: unknown option '--all'\nRun "gazetteer orders erase --help" for its options and/,
  ],
  [
    ['--port', '1', 'serve'],
    /^error: unknown option '--port'\nPut options after the command, for example: gazetteer serve --port 8081\n$/,
  ],
  [['frobnicate'], /^error: unknown command 'frobnicate'\nRun "gazetteer --help" for [^\n]+\.\n$/],
  [
    ['orders', 'frobnicate'],
    /^error: unknown command 'frobnicate'\nRun "gazetteer orders --help" for the list of commands\.\n$/,
  ],
  [['help', 'orders', 'exprt'], /^error: unknown command 'exprt'\n\(Did you mean export\?\)\n$/],
  [
    ['orders', '--data', 'x', 'export'],
    /^error: unknown option '--data'\nPut options after the command/,
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
    /^gazetteer: Unknown argument found - nam\. Use one of _id, .*, name, [^\n]+\.\n$/,
  );
});

it('a settings file may begin with a byte order mark', async (context) => {
  const file = join(temporaryFolder(context), 'config.json');
  writeFileSync(file, '\uFEFF{"port": 8081}');
  const { code, stdout } = await runInProcess(['serve', '--config', file, '--print-config']);
  assert.equal(code, 0);
  assert.match(stdout, /8081/);
});
