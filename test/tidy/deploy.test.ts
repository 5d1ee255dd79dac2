/** The files for systemd: the steps of the manual put them where the unit looks for them. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it, type TestContext } from 'node:test';
import { gazetteer } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { readPage } from './markdown.ts';
import { ROOT } from './source-files.ts';

it('the settings file of the unit is where the steps put it, and the program takes it', async (context) => {
  const root = installedRoot(context);
  const [, ...words] = lineOfUnit(root, 'ExecStart');
  const ended = await gazetteer([...words, '--print-config']);
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stdout, /^baseUrl +baseUrl in \S+config\.json +"http:\/\/localhost:8080"/m);
});

it('the lines of the unit start a service that is ready, reload it, and SIGTERM stops it', async (context) => {
  const root = installedRoot(context);
  const [program = '', ...words] = lineOfUnit(root, 'ExecStart');
  const ports = { GAZETTEER_PORT: '0', GAZETTEER_METRICS_PORT: '0' };
  const service = spawn(program, words, {
    env: { PATH: process.env.PATH, ...ports },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => service.kill('SIGKILL'));
  const exited = once(service, 'exit');
  const messages: string[] = [];
  let operation = '';
  for await (const line of createInterface({ input: service.stdout })) {
    const { msg, host, port } = JSON.parse(line);
    messages.push(msg);
    if (msg === 'health and metrics') operation = `http://${host}:${port}`;
    if (msg !== 'listening') continue;
    const [killer = '', ...reload] = lineOfUnit(root, 'ExecReload');
    execFileSync(
      killer,
      reload.map((word) => word.replace('$MAINPID', String(service.pid))),
    );
    const { status } = await fetch(`${operation}/readyz`);
    assert.equal(status, 200);
    service.kill('SIGTERM');
  }
  assert.deepEqual(await exited, [0, null], messages.join('\n'));
  assert.equal(messages.at(-1), 'stopped');
});

it('systemd finds nothing wrong with the unit', {
  skip: spawnSync('systemd-analyze', ['--version']).error !== undefined && 'there is no systemd',
}, (context) => {
  const unit = join(temporaryFolder(context), 'gazetteer.service');
  const text = readFileSync(join(ROOT, 'deploy/gazetteer.service'), 'utf8');
  writeFileSync(unit, text.replace('/opt/gazetteer/bin/gazetteer', join(ROOT, 'bin/gazetteer')));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  const complaints = stderr.split('\n').filter((line) => line.includes('gazetteer.service'));
  assert.deepEqual([status, complaints], [0, []]);
});

/** A folder in place of `/`, where those steps of the manual have run that copy files. */
function installedRoot(context: TestContext): string {
  const root = temporaryFolder(context);
  const steps = readPage('docs/how-to/run-as-a-service.md').codeBlocks.find(({ text }) =>
    text.includes('systemctl enable'),
  );
  const copies = steps?.text.match(/^install .*$/gm) ?? [];
  assert.equal(copies.length, 2);
  for (const copy of copies) {
    const [program = '', ...words] = copy.split(' ');
    execFileSync(program, words.map(placeIn(root)), { cwd: ROOT });
  }
  return root;
}

/** The words of a line of the unit, with the paths of a service that is installed in `root`. */
function lineOfUnit(root: string, name: string): string[] {
  const unit = readFileSync(join(root, 'etc/systemd/system/gazetteer.service'), 'utf8');
  const line = new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
  assert.ok(line !== undefined, name);
  return line.split(' ').map(placeIn(root));
}

/** Programs stay where they are; the checkout is the service's own folder. */
function placeIn(root: string): (word: string) => string {
  return (word) => {
    if (word.startsWith('/opt/gazetteer/')) return word.replace('/opt/gazetteer/', ROOT);
    return /^\/(etc|var)\//.test(word) ? join(root, word) : word;
  };
}
