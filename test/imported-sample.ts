/** Data folders with the sample, for tests that are not about the import. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { gazetteer, SAMPLE } from './journeys/program.ts';
import { madeOnce } from './made-once.ts';
import type { Owner } from './owner.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The path of a new data folder, whose edition 1 is the sample. */
export async function importedSample(owner: Owner): Promise<string> {
  const imported = await madeOnce('imported-sample', async (path) => {
    const ended = await gazetteer(['import', SAMPLE, '--data', path, '--quiet']);
    assert.equal(ended.code, 0, ended.stderr);
  });
  const data = join(temporaryFolder(owner), 'data');
  cpSync(imported, data, { recursive: true });
  return data;
}
