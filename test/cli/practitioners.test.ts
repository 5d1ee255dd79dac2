/** `gazetteer import-practitioners` and `gazetteer practitioner`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  manyFiles,
  SMALL_FILES,
  writeFiles,
} from '../directory/practitioners/practitioner-files.ts';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

it('practitioners are imported with a warning about unknown organisations, and shown', async (context) => {
  const data = ['--data', await importedSample(context)];
  const files = writeFiles(join(temporaryFolder(context), 'files'));
  const none = await runInProcess(['practitioner', 'G1234567', ...data]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /has no practitioners\. Import them with/);
  const imported = await runInProcess(['import-practitioners', ...files, ...data]);
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stdout, /^Imported 9 practitioners with 12 memberships in /);
  assert.match(imported.stdout, /Placeholder codes left out: 1\.\n$/);
  assert.match(imported.stderr, /^Warning: the directory does not have \d+ of the organisations /);
  const shown = await runInProcess(['practitioner', 'c9000001', '--json', ...data]);
  const answers = shown.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ code, active }) => [code, active]),
    [
      ['C9000001', true],
      ['G1234567', true],
      ['G7654321', true],
    ],
  );
  const members = await runInProcess(
    ['practitioner', '--of', 'a81001', '--on', '2000-01-01'].concat(data),
  );
  assert.match(members.stdout, /G1111111/);
  assert.doesNotMatch(members.stdout, /G1234567/);
  const verified = await runInProcess(['verify', ...data]);
  assert.match(verified.stdout, /practitioners/);
});

it('a file that has shrunk is refused, unless the operator allows it', async (context) => {
  const folder = temporaryFolder(context);
  const data = ['--data', join(folder, 'data')];
  const many = writeFiles(join(folder, 'many'), manyFiles(200));
  const few = writeFiles(join(folder, 'few'), SMALL_FILES);
  assert.equal((await runInProcess(['import-practitioners', ...many, ...data])).code, 0);
  const refused = await runInProcess(['import-practitioners', ...few, ...data]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /has 9 practitioners, and the version before has \d+\. If this is/);
  const allowed = await runInProcess(['import-practitioners', '--allow-shrink', ...few, ...data]);
  assert.equal(allowed.code, 0, allowed.stderr);
});

it('mistakes on the command line print one line', async (context) => {
  const data = ['--data', join(temporaryFolder(context), 'none')];
  for (const [words, code, message] of [
    [['practitioner'], 2, /Give a code, or an organisation with --of\./],
    [['practitioner', 'G1', '--of', 'A81001'], 2, /Give a code, or an organisation/],
    [['import-practitioners', 'none.csv'], 1, /none\.csv/],
  ] as const) {
    const ended = await runInProcess([...words, ...data]);
    assert.deepEqual([ended.code, ended.stdout], [code, ''], ended.stderr);
    assert.match(ended.stderr, message);
    assert.equal(ended.stderr.trim().split('\n').length, 1);
  }
});
