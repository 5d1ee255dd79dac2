/** Organisations that the command line looks up: tables on a terminal, JSON elsewhere. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { ownerOfSuite } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess, runOnTerminal } from './run-in-process.ts';

describe('the look-up on the command line', () => {
  const owner = ownerOfSuite();
  let data: string[] = [];
  before(async () => {
    data = ['--data', await importedSample(owner)];
  });

  it('finds the words of a name, and prints columns on a terminal', async () => {
    const { code, stdout } = await runOnTerminal(['search', 'leeds', 'teaching', ...data]);
    assert.equal(code, 0);
    assert.match(stdout, /^code +name +role +town +postcode +status\n/);
    assert.match(
      stdout,
      /^RR8 +LEEDS TEACHING HOSPITALS NHS TRUST +NHS trust +LEEDS +LS9 7TF +active$/m,
    );
  });

  it('prints a resource on each line elsewhere, and how many it leaves out', async () => {
    const { code, stdout, stderr } = await runInProcess(['search', 'leeds', '--limit=3', ...data]);
    assert.equal(code, 0);
    const types = stdout.trim().split('\n');
    assert.deepEqual(
      types.map((line) => JSON.parse(line).resourceType),
      Array.from({ length: 3 }, () => 'Organization'),
    );
    assert.match(stderr, /^These are 3 of \d+ organisations\. Use --limit to print more\.\n$/);
  });

  for (const role of ['RO197', '197', 'nhs trust']) {
    it(`keeps to the role "${role}"`, async () => {
      const words = ['search', 'leeds', '--role', role, ...data];
      const { stdout } = await runOnTerminal(words);
      const [, ...rows] = stdout.trim().split('\n');
      assert.ok(rows.length > 0);
      for (const row of rows) assert.match(row, /NHS trust/);
    });
  }

  it('has the filters of the look-up page, with or without words', async () => {
    const idsOf = async (...words: readonly string[]) => {
      const { code, stdout } = await runInProcess(['search', ...words, '--limit=9999', ...data]);
      assert.equal(code, 0, words.join(' '));
      return stdout
        .trim()
        .split('\n')
        .map((line): string => JSON.parse(line).id);
    };
    const members = ['RQS98', 'RR8EX'];
    assert.deepEqual(await idsOf('--of', 'rr8'), members);
    assert.deepEqual(await idsOf('--of', 'RR8', '--direct', '--by', 're6'), members);
    const active = await idsOf('leeds');
    const all = await idsOf('leeds', '--status', 'all');
    assert.deepEqual(new Set(active).difference(new Set(all)), new Set());
    assert.ok(all.length > active.length);
    assert.ok((await idsOf('--town', 'leeds', '--role', '197')).includes('RR8'));
    // The trust is what people mostly mean.
    assert.ok((await idsOf('leeds', '--as', 'town')).slice(0, 5).includes('RR8'));
    assert.ok(active.slice(0, 5).includes('RR8'));
  });

  it('finds a code, in small letters too', async () => {
    assert.match((await runOnTerminal(['search', 'rtg', ...data])).stdout, /^RTG .* DERBY/m);
    const { stdout } = await runOnTerminal(['show', 'rtg', ...data]);
    assert.match(stdout, /^code +RTG\nname +UNIVERSITY HOSPITALS OF DERBY .*\nstatus +active\n/);
    assert.match(stdout, /^role +NHS trust \(RO197\)$/m);
  });

  it('shows a resource elsewhere, and with --json on a terminal', async () => {
    const words = ['show', 'RTG', ...data];
    const { stdout } = await runInProcess(words);
    assert.equal(JSON.parse(stdout).id, 'RTG');
    assert.equal((await runOnTerminal([...words, '--json'])).stdout, stdout);
  });

  for (const [words, code, message] of [
    [['search', 'zzzz', 'qq'], 1, 'No organisation matches "zzzz qq".'],
    [
      ['show', 'ZZZZ'],
      1,
      'There is no organisation with the code "ZZZZ". To search by name, use "gazetteer search".',
    ],
    [
      ['search', 'leeds', '--role', 'nope'],
      2,
      'Unknown role "nope". See /roles or "gazetteer roles" for the list of roles.',
    ],
    [['search'], 2, 'Give words to search for, or an option such as --role pharmacy.'],
    [
      ['search', 'leeds', '--status', 'close'],
      2,
      'Unknown value "close" of --status. The values are active, inactive, all.',
    ],
    [['search', 'leeds', '--by', '4'], 2, '--by needs the parameter --of.'],
    [
      ['search', '--of', 'NEVER'],
      2,
      '--of must be the code of an organisation, or the name of one that has members.',
    ],
    [
      ['search', 'leeds', '--role', '177', '--town', 'zzzz'],
      1,
      'No organisation matches q leeds, role 177, town zzzz.',
    ],
    [
      ['search', 'a'.repeat(201)],
      2,
      'A search can have 200 characters. Got 201. Search for fewer words or codes at a time.',
    ],
    [['search', 'leeds', '--limit', '0'], 2, '--limit must be a whole number from 1. Got "0".'],
  ] as const) {
    it(`"${words.join(' ')}" prints a sentence and nothing else`, async () => {
      const ended = await runInProcess([...words, ...data]);
      assert.deepEqual(ended, { code, stdout: '', stderr: `gazetteer: ${message}\n` });
    });
  }

  it('needs a data folder that exists', async (context) => {
    const none = join(temporaryFolder(context), 'none');
    const { code, stderr } = await runInProcess(['search', 'leeds', '--data', none]);
    assert.equal(code, 1);
    assert.match(stderr, /^gazetteer: [^\n]+\n$/);
  });
});
