/** The folder in which the program keeps its compiled code. */
import assert from 'node:assert/strict';
import { readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer } from './program.ts';

describe('the compiled code of the program', () => {
  it('is kept where only the user can write', async (context) => {
    const home = temporaryFolder(context);
    assert.equal(await run({ XDG_CACHE_HOME: home }), 0);
    const kept = join(home, 'gazetteer/compiled');
    assert.equal(statSync(kept).mode & 0o777, 0o700);
    assert.notDeepEqual(readdirSync(kept), []);
  });

  it('is in the cache folder of a unit of systemd', async (context) => {
    const folder = temporaryFolder(context);
    assert.equal(await run({ CACHE_DIRECTORY: folder }), 0);
    assert.deepEqual(readdirSync(folder), ['compiled']);
  });

  it('is not needed', async () => {
    assert.equal(await run({ XDG_CACHE_HOME: '/dev/null' }), 0);
  });

  it('is not needed if the cache of the user is a link to a disk that is away', async (context) => {
    const link = join(temporaryFolder(context), 'cache');
    symlinkSync('/nonexistent/disk', link);
    assert.equal(await run({ XDG_CACHE_HOME: link }), 0);
  });
});

/** The tests themselves have a cache, which every program would use. */
async function run(environment: Record<string, string>): Promise<number | null> {
  const { code } = await gazetteer(['--version'], {
    environment: { NODE_COMPILE_CACHE: '', ...environment },
  });
  return code;
}
