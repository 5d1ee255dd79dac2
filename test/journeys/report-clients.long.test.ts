/** Programs that read the national reports, written as they are, against the program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { ownerOfSuite } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  countByStatus,
  fetchDaily,
  importGpPractices,
  PracticeChains,
} from './clients/report-scripts.ts';
import { type Server, serve } from './program.ts';

describe('clients of reports', () => {
  const owner = ownerOfSuite();
  let server: Server;
  let getReport = '';
  before(async () => {
    server = await serve(owner, ['--data', await importedSample(owner), '--threads', '1']);
    getReport = `${server.origin}/api/getReport`;
  });

  const textOf = async (query: string) => (await fetch(`${getReport}?${query}`)).text();

  it('a feed takes 27 columns, and GP practices by RO76', async () => {
    const practices = importGpPractices(await textOf('report=epraccur'));
    assert.equal(practices.get('A80000')?.name, 'OTTERFIELD FAMILY PRACTICE');
    assert.equal(practices.get('A80000')?.commissioner, '00Z');
    assert.throws(() => importGpPractices('"A","B"\r\n'), /expected 27 columns, got 2/);
  });

  it('a dashboard counts practices by the words of today', async () => {
    const csv = await textOf('report=epraccur');
    const { ACTIVE, INACTIVE } = countByStatus(csv);
    assert.equal(ACTIVE + INACTIVE, csv.trimEnd().split('\n').length);
    assert.ok(ACTIVE > INACTIVE && INACTIVE > 0);
  });

  it('a job fetches CSV once, and then only a new one', async (context) => {
    const folder = temporaryFolder(context);
    const file = join(folder, 'etr.csv');
    const first = await fetchDaily(`${getReport}?report=etr`, file);
    assert.equal(first.isNew, true);
    assert.match(readFileSync(file, 'utf8'), /^"RR8",/);
    assert.equal((await fetchDaily(`${getReport}?report=etr`, file, first.etag)).isNew, false);
    await assert.rejects(fetchDaily(`${getReport}?report=etr,ets`, file), /got application\/zip/);
    await assert.rejects(fetchDaily(`${getReport}?report=ETR`, file), /HTTP 400: .*mean \W+etr/);
  });

  it('a script follows an old practice to its network and sub-ICB', async () => {
    const chains = await PracticeChains.load(getReport);
    assert.deepEqual(chains.follow('D80001'), {
      practice: 'D80001',
      network: 'U00002',
      subIcb: '00Z',
    });
    // It was replaced in 2013, and left its network.
    assert.deepEqual(chains.follow('D80002'), {
      practice: 'C80002',
      network: 'U00004',
      subIcb: '00Z',
    });
    assert.equal(chains.follow('NONE'), undefined);
  });

  for (const [program, words] of [
    [
      'Rscript',
      [
        '-e',
        `d <- read.csv(unz("etr.zip", "etr.csv"), header = FALSE, colClasses = "character"); cat(nrow(d), ncol(d), d$V1)`,
      ],
    ],
    [
      'python3',
      [
        '-c',
        `import csv, io, zipfile
with zipfile.ZipFile("etr.zip") as z, z.open("etr.csv") as f:
    rows = list(csv.reader(io.TextIOWrapper(f, "utf-8")))
print(len(rows), len(rows[0]), *[row[0] for row in rows], end="")`,
      ],
    ],
  ] as const) {
    it(`${program} reads the zip of a report`, async (context) => {
      if (spawnSync(program, ['--version']).status !== 0)
        return context.skip(`there is no ${program}`);
      const cwd = temporaryFolder(context);
      const answer = await fetch(`${server.origin}/assets/ods/current/etr.zip`);
      writeFileSync(join(cwd, 'etr.zip'), new Uint8Array(await answer.arrayBuffer()));
      const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      assert.equal(stdout, '2 27 RR8 RTG');
    });
  }
});
