/** What the command line says: help, misuse, and reasons for ending, each in one line. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { COMMANDS } from '../../src/cli/program.ts';
import { SOFTWARE } from '../../src/version.ts';
import { gazetteer, SAMPLE, serve, temporaryFolder } from './program.ts';

it('every command has --help and --version', async () => {
  for (const name of ['', ...COMMANDS.map((command) => command.name)]) {
    const words = name === '' ? [] : name.split(' ');
    const help = await gazetteer([...words, '--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /^Usage: /);
    const version = await gazetteer([...words, '--version']);
    assert.deepEqual(version, { code: 0, stdout: `${SOFTWARE.version}\n`, stderr: '' });
  }
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
    [['serv'], /unknown command 'serv'.*\n.*Did you mean serve/],
    [['serve', '--prot', '1'], /unknown option '--prot'.*\n.*--port/],
    [
      ['serve', '--port', '70000'],
      /^--port: 70000 does not do: must be a whole number from 0 to 65535$/m,
    ],
    [
      ['serve', '--port', 'abc'],
      /^--port: "abc" does not do: must be a whole number from 0 to 65535$/m,
    ],
    [
      ['serve', '--base-url', 'http://x/a?'],
      /^--base-url: "http:\/\/x\/a\?" does not do: must be an http/,
    ],
    [['serve', '--base-url', 'ftp://x'], /^--base-url: "ftp:\/\/x" does not do: must be an http/],
    [['serve'], /^GAZETTEER_PORT: "x" does not do: /, { GAZETTEER_PORT: 'x' }],
    [['serve'], /^GAZETTEER_PROT: there is no such setting$/m, { GAZETTEER_PROT: '1' }],
    [
      ['serve', '--config', config],
      /there is no setting "log.requsts"\nport in .*config\.json: "many"/,
    ],
    [['serve', '--config', join(folder, 'none.json')], /^--config: ENOENT/],
    [['import'], /missing required argument 'file'/],
  ];
  for (const [words, message, environment = {}] of cases) {
    const ended = await gazetteer(words, { environment });
    assert.equal(ended.code, 2, words.join(' '));
    assert.match(ended.stderr, message);
    assert.equal(ended.stdout, '');
  }
});

it('a flag goes before the environment, and that before the file', async (context) => {
  const folder = temporaryFolder(context);
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ data: join(folder, 'file'), log: { requests: false } }));
  const environment = { GAZETTEER_DATA: join(folder, 'environment') };
  const dataOf = async (words: string[], options = {}) => {
    const server = await serve(context, ['--threads', '1', ...words], options);
    await server.stop();
    return server.log.find(({ msg }) => msg.startsWith('no edition yet'))?.data;
  };
  assert.equal(await dataOf(['--config', config]), join(folder, 'file'));
  assert.equal(await dataOf(['--config', config], { environment }), join(folder, 'environment'));
  assert.equal(
    await dataOf(['--config', config, '--data', join(folder, 'flag')], { environment }),
    join(folder, 'flag'),
  );
});

it('a taken port ends the start with one line and exit code 1', async (context) => {
  const other = createServer().listen(0, '127.0.0.1');
  context.after(() => other.close());
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const ended = await gazetteer([
    'serve',
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
  const server = await serve(context, ['--data', data]);
  const ended = await gazetteer(['serve', '--port', '0', '--data', data]);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, new RegExp(`in use by process ${server.process.pid};`));
  await server.stop('SIGKILL');
  const again = await serve(context, ['--data', data]);
  assert.equal(await again.stop(), 0);
});

it('editions are listed, and rollback goes back and forth', async (context) => {
  const data = temporaryFolder(context);
  for (const command of ['editions', 'rollback']) {
    const nothing = await gazetteer([command, '--data', join(data, 'mistyped')]);
    assert.equal(nothing.code, 1);
    assert.match(nothing.stderr, /^gazetteer: .*mistyped: there is no directory here; .*\n$/);
    assert.ok(!existsSync(join(data, 'mistyped')));
  }
  for (let edition = 1; edition <= 2; edition++) {
    await gazetteer(['import', SAMPLE, '--data', data, '--quiet']);
  }
  const listed = async () => (await gazetteer(['editions', '--data', data])).stdout;
  assert.match(await listed(), /^ +1 .*\n +2 .* 0 +0 +0 +current$/m);
  const back = await gazetteer(['rollback', '--data', data]);
  assert.match(back.stdout, /^Edition 1, .* is now current\.\n$/);
  assert.match(await listed(), /^ +1 .*current$/m);
  const further = await gazetteer(['rollback', '--data', data]);
  assert.equal(further.code, 1);
  assert.match(further.stderr, /^gazetteer: .*\n$/);
  assert.equal((await gazetteer(['rollback', '--to', '2', '--data', data])).code, 0);
  assert.match(await listed(), /^ +2 .*current$/m);
  assert.equal((await gazetteer(['rollback', '--to', '9', '--data', data])).code, 1);
  assert.equal((await gazetteer(['rollback', '--to', 'x', '--data', data])).code, 1);
  const json = JSON.parse((await gazetteer(['editions', '--json', '--data', data])).stdout);
  assert.deepEqual(
    json.map(({ number }: { number: number }) => number),
    [1, 2],
  );
});

it('a data folder that cannot be used is named in one line', async (context) => {
  const folder = temporaryFolder(context);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  mkdirSync(join(folder, 'others'), { mode: 0o755 });
  writeFileSync(join(folder, 'others', 'letter.txt'), '');
  for (const data of [file, join(folder, 'others')]) {
    for (const command of ['serve', 'editions']) {
      const ended = await gazetteer([command, '--data', data]);
      assert.equal(ended.code, 1);
      assert.match(ended.stderr, /^gazetteer: [^\n]+\n$/);
      assert.ok(ended.stderr.includes(data));
    }
  }
});
