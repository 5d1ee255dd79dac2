/** What an import publishes: nothing if the records are the same, and an older release with a warning. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

it('an import of an older release warns, and one of the same records publishes nothing', async (context) => {
  const folder = temporaryFolder(context);
  const data = join(folder, 'data');
  const importRelease = async (publicationDate: string, ...words: readonly string[]) => {
    const revision = publicationDate < '2026' ? 0 : 1;
    const file = join(folder, `release-${publicationDate}.xml`);
    const options = { ...releaseDefaults, records: 60, archive: 0, publicationDate, revision };
    writeFileSync(file, [...generateRelease(options)].join(''));
    return await runInProcess(['import', file, '--data', data, ...words]);
  };
  assert.match((await importRelease('2026-08-28')).stdout, /Edition 1, .* is now current/);
  const same = await importRelease('2026-08-28');
  assert.equal(same.code, 0);
  assert.match(
    same.stdout,
    /^The directory already has these records, so there is nothing to do\. To publish them again, use --again\. Edition 1 stays current\.$/m,
  );
  const json = JSON.parse((await importRelease('2026-08-28', '--json')).stdout);
  assert.equal(json.outcome, 'unchanged');
  const again = await importRelease('2026-08-28', '--again', '--quiet');
  assert.deepEqual(again, { code: 0, stdout: '', stderr: '' });
  const older = await importRelease('2020-01-31', '--quiet');
  assert.deepEqual(older, {
    code: 0,
    stdout: '',
    stderr:
      'Warning: this release was published on 2020-01-31, and the release before it on 2026-08-28. ' +
      'To go back to the newer one, use "gazetteer rollback".\n',
  });
  const listed = JSON.parse((await runInProcess(['editions', '--json', '--data', data])).stdout);
  assert.deepEqual(listed.map(({ number }: { number: number }) => number).toSorted(), [1, 2, 3]);
});
