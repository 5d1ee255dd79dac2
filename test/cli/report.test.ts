/** Reports on the command line: the bytes of HTTP, and messages that name the remedy. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { REPORTS } from '../../src/interfaces/reports/csv/report-table.ts';
import { importedSample } from '../imported-sample.ts';
import { serve } from '../journeys/program.ts';
import { ownerOfSuite } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess, runOnTerminal } from './run-in-process.ts';

describe('the reports on the command line', () => {
  const owner = ownerOfSuite();
  let folder = '';
  let data: string[] = [];
  before(async () => {
    folder = await importedSample(owner);
    data = ['--data', folder];
  });

  it('lists the reports, and whether the release has their data', async () => {
    const { code, stdout } = await runOnTerminal(['report', '--list', ...data]);
    assert.equal(code, 0);
    const [heading = '', ...lines] = stdout.trim().split('\n');
    assert.match(heading, /^name +title +in the release$/);
    assert.equal(lines.length, REPORTS.length);
    assert.ok(lines.some((line) => /^etr +NHS trusts +yes$/.test(line)));
    assert.ok(
      lines.some((line) => /^egpcur +General medical practitioners +no: supply a file$/.test(line)),
    );
  });

  it('lists the reports that a folder has a file for', async (context) => {
    const folder = temporaryFolder(context);
    writeFileSync(join(folder, 'egpcur.csv'), '');
    const { stdout } = await runOnTerminal(['report', '--list', '--directory-reports', folder]);
    assert.match(stdout, /^egpcur .* no, but you supplied a file$/m);
  });

  it('writes the bytes of HTTP, in a file too', async (context) => {
    const supplied = temporaryFolder(context);
    writeFileSync(join(supplied, 'egpcur.csv'), '"G1","A NAME"\r\n');
    const extra = ['--directory-reports', supplied];
    const server = await serve(context, [...data, ...extra]);
    const get = async (path: string) => (await fetch(server.origin + path)).text();
    for (const [words, query] of [
      [['epraccur'], 'report=epraccur'],
      [
        ['epraccur', '--headers', '--as-at', '2015-04-01'],
        'report=epraccur&headers=true&asAt=2015-04-01',
      ],
      [['egpcur'], 'report=egpcur'],
    ] as const) {
      const { code, stdout, stderr } = await runInProcess(['report', ...words, ...data, ...extra]);
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(stdout, await get(`/api/getReport?${query}`));
      assert.ok(stdout.length > 10);
    }
    assert.equal(await server.stop(), 0);
    const file = join(supplied, 'out.csv');
    const words = ['report', 'epraccur', '--former', '--output', file, ...data];
    const written = await runInProcess(words);
    assert.deepEqual(written, {
      code: 0,
      stdout: `${file}: wrote the report epraccur of edition 1.\n`,
      stderr: '',
    });
    const former = readFileSync(file, 'utf8');
    assert.match(former, /^"[^\r\n]*","A","Z",""/m);
    assert.doesNotMatch(former, /ACTIVE/);
    const again = await runInProcess(words);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /already exists/);
  });

  for (const [words, code, message] of [
    [['report'], 2, 'The name of a report is missing. "gazetteer report --list" has them.'],
    [['report', '--list', 'etr'], 2, '--list lists all reports. Leave out "etr".'],
    [
      ['report', 'EPRACCUR'],
      2,
      'Unknown report "EPRACCUR". Did you mean "epraccur"? See the page /reports or "gazetteer report --list" for the list of reports.',
    ],
    [
      ['report', 'etr', '--as-at', '2026-02-30'],
      2,
      '--as-at must be a date YYYY-MM-DD. Got "2026-02-30".',
    ],
    [
      ['report', 'egpcur'],
      1,
      'The release has no data for the report egpcur. No folder has such files: see the setting directory.reports. Or import the file with "gazetteer import-practitioners egpcur.csv".',
    ],
    [
      ['report', 'etr', '--edition', '7'],
      1,
      'There is no edition 7. List the editions with "gazetteer editions".',
    ],
  ] as const) {
    it(`"${words.join(' ')}" prints a sentence and nothing else`, async () => {
      const ended = await runInProcess([...words, ...data]);
      assert.deepEqual(ended, { code, stdout: '', stderr: `gazetteer: ${message}\n` });
    });
  }

  it('names the remedy for an edition without relationships', async (context) => {
    const file = join(temporaryFolder(context), 'all.ndjson');
    const exported = ['export', '--format', 'ndjson', '--output', file, ...data];
    assert.equal((await runInProcess(exported)).code, 0);
    const other = ['--data', join(temporaryFolder(context), 'data')];
    assert.equal((await runInProcess(['import', file, '--quiet', ...other])).code, 0);
    const { code, stderr } = await runInProcess(['report', 'epraccur', ...other]);
    assert.equal(code, 1);
    assert.match(stderr, /does not know the relationships .* Import a release file\.\n$/);
    assert.equal((await runInProcess(['report', 'ecsu', ...other])).code, 0);
  });
});
