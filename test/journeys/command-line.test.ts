/** What the command line says: help, misuse, and reasons for ending, each in one line. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { SOFTWARE } from '../../src/config/version.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import { listenOnLoopback } from '../loopback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer, SAMPLE, serve, start } from './program.ts';

it('every command has a help and a version, in every spelling', async () => {
  for (const name of ['', ...COMMANDS.map((command) => command.name)]) {
    const words = name === '' ? [] : name.split(' ');
    const help = await runInProcess([...words, '--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /^Usage: /);
    assert.deepEqual(await runInProcess(['help', ...words]), help, name);
  }
  const help = await runInProcess(['serve', '--help']);
  assert.deepEqual(await runInProcess(['serve', '-h']), help);
  for (const words of [['--version'], ['-V'], ['serve', '-V'], ['orders', 'export', '--version']]) {
    const version = await runInProcess(words);
    assert.deepEqual(version, { code: 0, stdout: `${SOFTWARE.version}\n`, stderr: '' });
  }
});

it('the help of serve has its settings by section', async () => {
  const help = await gazetteer(['serve', '--help']);
  assert.deepEqual(help, await runInProcess(['serve', '--help']));
  const { stdout } = help;
  const headings: readonly string[] = stdout.match(/^\S.*:$/gm) ?? [];
  assert.ok(headings.includes('Settings:') && headings.includes('Settings of limits:'), stdout);
  assert.match(stdout, /^Settings of log:\n +--log-level /m);
});

it('a data folder that is mistyped is made by no command that only reads', async (context) => {
  const data = join(temporaryFolder(context), 'mistyped');
  for (const words of [
    ['editions'],
    ['rollback'],
    ['export', '--format', 'csv'],
    ['orders', 'export'],
    ['audit'],
    ['backup', `${data}.backup`],
    ['verify'],
    ['token'],
  ]) {
    const ended = await runInProcess([...words, '--data', data]);
    assert.equal(ended.code, 1, words.join(' '));
    assert.ok(ended.stderr.includes(data), ended.stderr);
    assert.ok(!existsSync(data), words.join(' '));
  }
  const imported = await runInProcess(['import', SAMPLE, '--data', data, '--quiet']);
  assert.deepEqual(imported, { code: 0, stdout: '', stderr: `Created the data folder ${data}.\n` });
  const again = await runInProcess(['import', SAMPLE, '--data', data]);
  assert.equal(again.code, 0);
  assert.match(
    again.stdout,
    /already has these records, so there is nothing to do\. To publish them again, use --again\. Edition 1 stays current\.\n$/,
  );
  const output = join(data, 'leeds.csv');
  const search = ['name:contains=leeds', '--format', 'csv', '--output', output];
  const exported = await runInProcess(['export', ...search, '--data', data]);
  assert.equal(exported.stdout, `${output}: wrote 16 organisations of edition 1.\n`);
});

it('the log is text for people where a setting says so, and names the address to open', async (context) => {
  const data = join(temporaryFolder(context), 'data');
  const words = ['--data', data, '--port', '0', '--metrics-port', '0', '--threads', '1'];
  const child = start(['serve', '--log-format', 'text', ...words]);
  context.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout! });
  const seen: string[] = [];
  for await (const line of lines) {
    seen.push(line);
    if (line === '  Ctrl+C stops the server.') child.kill('SIGTERM');
  }
  const text = seen.join('\n');
  assert.match(
    text,
    /^\d\d:\d\d:\d\d {2}warning: created the data folder {2}code=GZ101 {2}data=\S+$/m,
  );
  const [, port] =
    /^\d\d:\d\d:\d\d {2}listening {2}host=127\.0\.0\.1 {2}port=(\d+) /m.exec(text) ?? [];
  assert.match(text, new RegExp(`^  Open http://localhost:${port}/$`, 'm'));
  assert.match(text, /stopped$/);
});

it('misuse is exit code 2 and a line that names it', async (context) => {
  const folder = temporaryFolder(context);
  const config = join(folder, 'config.json');
  writeFileSync(config, '{"log": {"requsts": true}, "port": "many"}');
  const cases: readonly (readonly [
    words: string[],
    message: RegExp,
    environment?: Record<string, string>,
  ])[] = [
    [['serv'], /Unknown command "serv"\. Did you mean "serve"\?/],
    [['serve', '--prot', '1'], /Unknown option "--prot"\. Did you mean "--port"\?/],
    [
      ['serve', '--port', '70000'],
      / --port must be a whole number from 0 to 65535\. Got 70000\.$/m,
    ],
    [['serve', '--port', 'abc'], / --port must be a whole number from 0 to 65535\. Got "abc"\.$/m],
    [
      ['serve', '--base-url', 'http://x/a?'],
      / --base-url must be an http .*\. Got "http:\/\/x\/a\?"\.$/m,
    ],
    [['serve', '--base-url', 'ftp://x'], / --base-url must be an http .*\. Got "ftp:\/\/x"\.$/m],
    [['serve'], / GAZETTEER_PORT must be a whole number .*\. Got "x"\.$/m, { GAZETTEER_PORT: 'x' }],
    [['serve'], /"GAZETTEER_PROT"\. Did you mean "GAZETTEER_PORT"\?/, { GAZETTEER_PROT: '1' }],
    [
      ['serve', '--config', config],
      /Unknown setting "log\.requsts" of .* mean "log\.requests"\? .*\ngazetteer: port in .*config\.json must be .*\. Got "many"\.$/m,
    ],
    [
      ['serve', '--config', join(folder, 'none.json')],
      / --config names \S+none\.json", which does not exist\. Create the file, or correct --config\.$/m,
    ],
    [
      ['serve', '--config', folder],
      / --config names \S+, which is a folder\. Put a file in its place, or correct --config\.$/m,
    ],
    [['help', 'serv'], /^gazetteer: Unknown command "serv"\. Did you mean "serve"\? See .*\n$/],
    [['help', 'frobnicate'], /^gazetteer: Unknown command "frobnicate"\. See "gazetteer --help" /],
    [['rollback', '--to', 'x'], /^gazetteer: --to must be the number of an edition\. Got "x"\.$/m],
    [['verify', '--head', 'x'], /^gazetteer: --head must be /],
    [['audit', '--since', 'today'], /^gazetteer: --since must be a time /],
    [['token', '--expires', '1w'], /^gazetteer: --expires must be /],
    [['import', '-', '-'], /^gazetteer: Standard input can be read only once/],
    [['sync', 'nowhere'], /^gazetteer: <url>: /],
    [['export'], /^gazetteer: --format is missing\. /],
    [
      ['export', 'surgery'],
      /^gazetteer: --format is missing\. .* "surgery" is not a search parameter/,
    ],
    [['export', '--format', 'pdf'], /^gazetteer: Unknown value "pdf" of --format\. /],
    [
      ['export', 'surgery', '--format', 'csv'],
      /^gazetteer: "surgery" is not a search parameter\. .* use "name:contains=surgery"\.$/m,
    ],
    [['import'], /missing required argument 'file'/],
  ];
  for (const [words, message, environment = {}] of cases) {
    const ended = await runInProcess(words, environment);
    assert.equal(ended.code, 2, words.join(' '));
    assert.match(ended.stderr, message);
    assert.match(ended.stderr, /^gazetteer: /);
    assert.equal(ended.stdout, '');
  }
  const environment = { GAZETTEER_PORT: 'x', GAZETTEER_PROT: '1' };
  const ended = await gazetteer(['serve'], { environment });
  assert.deepEqual(ended, await runInProcess(['serve'], environment));
  assert.equal(ended.code, 2);
});

it('a flag goes before the environment, and that before the file', async (context) => {
  const folder = temporaryFolder(context);
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ data: join(folder, 'file'), log: { requests: false } }));
  const environment = { GAZETTEER_DATA: join(folder, 'environment') };
  const words = ['--config', config];
  const dataOf = async (variables = {}) => {
    const { stdout } = await runInProcess(['serve', '--print-config', ...words], variables);
    return /^data +.* +"(.*)"$/m.exec(stdout)?.[1];
  };
  assert.equal(await dataOf(), join(folder, 'file'));
  assert.equal(await dataOf(environment), join(folder, 'environment'));
  const flag = ['--data', join(folder, 'flag'), '--threads', '1'];
  const server = await serve(context, [...words, ...flag], { environment });
  assert.equal(await server.stop(), 0);
  const { data } = await server.logged(/^starting$/);
  assert.equal(data, join(folder, 'flag'));
});

it('a taken port ends the start with one line and exit code 1', async (context) => {
  const other = createServer();
  context.after(() => other.close());
  const port = await listenOnLoopback(other);
  const ended = await gazetteer([
    'serve',
    '--log-format',
    'text',
    '--port',
    String(port),
    '--data',
    temporaryFolder(context),
  ]);
  assert.equal(ended.code, 1);
  assert.match(
    ended.stderr,
    /^gazetteer: Port \d+ on 127\.0\.0\.1 is taken by another program\. .*--port\.\n$/,
  );
});

it('a second server on the same data is refused with the process id of the first', async (context) => {
  const data = temporaryFolder(context);
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const ended = await gazetteer(['serve', '--port', '0', '--data', data, '--threads', '1']);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, new RegExp(`in use by process ${server.process.pid};`));
  await server.stop('SIGKILL');
  const again = await serve(context, ['--data', data, '--threads', '1']);
  assert.equal(await again.stop(), 0);
});

it('editions are listed, and rollback goes back and forth', async (context) => {
  const data = await importedSample(context);
  for (const command of ['editions', 'rollback']) {
    const nothing = await runInProcess([command, '--data', join(data, 'mistyped')]);
    assert.equal(nothing.code, 1);
    assert.match(nothing.stderr, /^gazetteer: .*mistyped: there is no directory here; .*\n$/);
    assert.ok(!existsSync(join(data, 'mistyped')));
  }
  await runInProcess(['import', SAMPLE, '--again', '--data', data, '--quiet']);
  const listed = async () => (await runInProcess(['editions', '--data', data])).stdout;
  assert.match(await listed(), /^ +1 .*\n +2 .* 0 +0 +0 +current$/m);
  const back = await runInProcess(['rollback', '--data', data]);
  assert.match(
    back.stdout,
    /^Edition 3, .* is now current\. It has the content of edition 1: .*\n$/,
  );
  assert.match(await listed(), /^ +3 .*current$/m);
  const further = await runInProcess(['rollback', '--data', data]);
  assert.equal(further.code, 1);
  assert.match(further.stderr, /^gazetteer: .*\n$/);
  assert.equal((await runInProcess(['rollback', '--to', '2', '--data', data])).code, 0);
  assert.match(await listed(), /^ +4 .*current$/m);
  assert.equal((await runInProcess(['rollback', '--to', '9', '--data', data])).code, 1);
  const json = JSON.parse((await runInProcess(['editions', '--json', '--data', data])).stdout);
  assert.deepEqual(
    json.map(({ number }: { number: number }) => number),
    [1, 2, 3, 4],
  );
});

it('a data folder that cannot be used is named in one line', async (context) => {
  const folder = temporaryFolder(context);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  mkdirSync(join(folder, 'others'), { mode: 0o755 });
  writeFileSync(join(folder, 'others', 'letter.txt'), '');
  for (const data of [file, join(folder, 'others')]) {
    const ended = [
      await gazetteer(['serve', '--data', data, '--log-format', 'text']),
      await runInProcess(['editions', '--data', data]),
    ];
    for (const { code, stderr } of ended) {
      assert.equal(code, 1);
      assert.match(stderr, /^gazetteer: [^\n]+\n$/);
      assert.ok(stderr.includes(data));
    }
  }
});
