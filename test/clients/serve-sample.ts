/** The sample on a server of its own, at the address that its links have. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { gazetteer, SAMPLE, serve } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The base of the directory. */
export async function serveSample(context: TestContext): Promise<string> {
  const data = temporaryFolder(context);
  const imported = await gazetteer(['import', SAMPLE, '--data', data, '--quiet']);
  assert.equal(imported.code, 0, imported.stderr);
  const { port } = await serve(context, ['--data', data, '--threads', '1']);
  return `http://localhost:${port}/STU3`;
}
