/** Tokens of the program itself, for journeys. */
import assert from 'node:assert/strict';
import { runInProcess } from '../cli/run-in-process.ts';

/** What `gazetteer token` prints. */
export async function tokenFor(folder: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess([
    'token',
    '--make-folder',
    '--data',
    folder,
    ...words,
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/, 'the token alone');
  return stdout.trim();
}
