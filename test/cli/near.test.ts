/** `gazetteer near`: a table on a terminal, JSON elsewhere, and what it says of bad values. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { ownerOfSuite } from '../owner.ts';
import { ROOT } from '../tidy/source-files.ts';
import { runInProcess, runOnTerminal } from './run-in-process.ts';

describe('what is near, on the command line', () => {
  const owner = ownerOfSuite();
  let data: string[] = [];
  before(async () => {
    data = ['--data', await importedSample(owner)];
    const none = await runInProcess(['near', 'LS1 4AP', ...data]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /near needs postcodes.*gazetteer import-postcodes FILE/);
    const sample = join(ROOT, 'sample', 'postcodes.zip');
    const { code, stderr } = await runInProcess(['import-postcodes', sample, ...data]);
    assert.equal(code, 0, stderr);
  });

  it('prints the nearest first, with distances, on a terminal', async () => {
    const words = ['near', 'LS1 4AP', '--role', '182', '--limit', '3', ...data];
    const { code, stdout, stderr } = await runOnTerminal(words);
    assert.equal(code, 0, stderr);
    const [head = '', ...lines] = stdout.trimEnd().split('\n');
    assert.match(head, /^ *km +code +name +role +town +postcode$/);
    const distances = lines.map((line) => Number(/^ *([\d.]+) /.exec(line)?.[1]));
    assert.equal(lines.length, 3);
    assert.deepEqual(
      distances,
      distances.toSorted((a, b) => a - b),
    );
    assert.match(stderr, /^These are 3 of \d+ organisations\. Use --limit to print more\.\n$/);
  });

  it('prints JSON elsewhere, and keeps to a distance', async () => {
    const words = ['near', 'LS1', '4AP', '--role', 'pharmacy', '--within', '5', ...data];
    const { stdout } = await runInProcess(words);
    const found = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(found.length > 0);
    for (const { kilometres, role } of found) {
      assert.ok(kilometres <= 5);
      assert.equal(role, 'RO182');
    }
  });

  it('exports what is near, the nearest first', async () => {
    const words = ['export', 'near=LS1 4AP|5', 'ods-org-role=182', '--format', 'csv', ...data];
    const { code, stdout, stderr } = await runInProcess(words);
    assert.equal(code, 0, stderr);
    const [head = '', ...lines] = stdout.trim().split('\r\n');
    assert.match(head, /,kilometres$/);
    const distances = lines.map((line) => Number(line.split(',').at(-1)));
    assert.ok(distances.length > 0);
    assert.deepEqual(
      distances,
      distances.toSorted((a, b) => a - b),
    );
  });

  it('says that nothing is that near', async () => {
    const { code, stdout, stderr } = await runInProcess(['near', '0,0', ...data]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr, 'gazetteer: No active organisation is that near.\n');
  });

  const REFUSED: readonly (readonly [words: readonly string[], problem: RegExp])[] = [
    [['near', 'Leeds'], /not a whole one, such as LS1 4AP/],
    [['near', 'LS1 4AP', '--within', '0'], /within must be a number above 0, and at most 1000/],
    [['near', 'LS1 4AP|5|mi'], /^gazetteer: The place has more than one part\. Write a postcode/],
    [['near', 'LS1 4AP', '--within', '-5'], /--within/],
    [['near', 'LS1 4AP', '--within', '1e9'], /--within must be a number of kilometres/],
    [['near', 'LS1 4AP', '--role', 'wizard'], /Unknown role "wizard"\./],
    [['near', '91,0'], /latitude from -90 to 90/],
    [['near'], /place/],
  ];
  for (const [words, problem] of REFUSED) {
    it(`refuses ${words.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runInProcess([...words, ...data]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, problem);
    });
  }
});
