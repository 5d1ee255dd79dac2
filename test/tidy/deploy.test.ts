/** The files for systemd: the steps of the manual put them where the unit looks for them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { gazetteer, temporaryFolder } from '../journeys/program.ts';
import { readPage } from './markdown.ts';
import { ROOT } from './source-files.ts';

it('the settings file of the unit is where the steps put it, and the program takes it', async (context) => {
  const root = installedRoot(context);
  const unit = readFileSync(join(root, 'etc/systemd/system/gazetteer.service'), 'utf8');
  const words = /^ExecStart=\/opt\/gazetteer\/bin\/gazetteer (.*)$/m.exec(unit)?.[1]?.split(' ');
  assert.ok(words !== undefined);
  const inRoot = words.map((word) => (word.startsWith('/') ? join(root, word) : word));
  const ended = await gazetteer([...inRoot, '--print-config']);
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stdout, /^baseUrl +baseUrl in \S+config\.json +"http:\/\/localhost:8080"/m);
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
  const steps = readPage('docs/operating.md').codeBlocks.find(({ text }) =>
    text.includes('systemctl enable'),
  );
  const copies = steps?.text.match(/^install .*$/gm) ?? [];
  assert.equal(copies.length, 2);
  for (const copy of copies) {
    const [program = '', ...words] = copy.split(' ');
    const inRoot = words.map((word) => (word.startsWith('/') ? join(root, word) : word));
    execFileSync(program, inRoot, { cwd: ROOT });
  }
  return root;
}
