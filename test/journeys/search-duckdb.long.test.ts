/** An analyst's script in Python and DuckDB, against the searches of a server with the sample. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { dayOf } from '../../src/directory/record/in-force.ts';
import { importedSample } from '../imported-sample.ts';
import { ownerOfTest } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { serve } from './program.ts';

const SCRIPT = join(ROOT, 'test/journeys/clients/organisations_to_parquet.py');

const hasDuckDb = spawnSync('python3', ['-c', 'import duckdb']).status === 0;

it('a script keeps the organisations as Parquet, and finds the same practices of networks in two ways', {
  skip: !hasDuckDb && 'there is no python3 with the package duckdb',
}, async (context) => {
  const owner = ownerOfTest(context);
  const data = await importedSample(owner);
  const server = await serve(owner, ['--data', data, '--threads', '1']);
  const words = [SCRIPT, server.origin, temporaryFolder(owner), dayOf(new Date())];
  const { stdout } = await promisify(execFile)('python3', words);
  const [organisations, listed, byDates, others] = stdout.split(/\s+/).map(Number);
  const summary = await fetch(`${server.origin}/STU3/Organization?_summary=count&_format=json`);
  const [, total] = /"total":(\d+)/.exec(await summary.text()) ?? [];
  assert.equal(organisations, Number(total));
  assert.ok(listed !== undefined && listed > 0, stdout);
  assert.deepEqual([byDates, others], [listed, 0]);
});
