/** `gazetteer editions`, `rollback` and `verify` on the editions of a data folder. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { organisation, releaseXml } from '../sources/release-file/release-fixture.ts';
import { runInProcess } from './run-in-process.ts';

it('lists the editions, makes the one before current, and finds what was changed', async (context) => {
  const data = await importedSample(context);
  const run = (...words: string[]) => runInProcess([...words, '--data', data]);
  const release = join(data, 'release.xml');
  writeFileSync(release, releaseXml([organisation('<Name>A Ward</Name>', { code: 'A1' })]));
  const imported = await run('import', release, '--quiet', '--allow-shrink');
  assert.equal(imported.code, 0, imported.stderr);
  const listed = await run('editions');
  assert.match(listed.stdout, /^edition +published .*\n +1 .*\d\n +2 .* current\n$/);
  const back = await run('rollback');
  assert.match(
    back.stdout,
    /^Edition 3, published [\d-]+, is now current\. It has the content of edition 1: \d+ added, 0 changed, 1 removed\.\n$/,
  );
  const json = JSON.parse((await run('editions', '--json')).stdout);
  assert.deepEqual(
    json.map((each: { number: number; isCurrent: boolean }) => [each.number, each.isCurrent]),
    [
      [1, false],
      [2, false],
      [3, true],
    ],
  );
  const refused = await run('rollback', '--to', '3');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /3 is current already/);

  const sound = await run('verify');
  assert.deepEqual([sound.code, sound.stderr], [0, '']);
  assert.match(sound.stdout, /^directory\.db: sound\n(edition \d: sound\n){3}$/);
  const file = join(data, 'editions', '000002', 'active-roles.codes.bin');
  const bytes = readFileSync(file);
  bytes[0]! ^= 1;
  writeFileSync(file, bytes);
  const damaged = await run('verify');
  assert.equal(damaged.code, 1);
  assert.match(damaged.stdout, /^edition 2: .*active-roles\.codes/m);
  assert.match(
    damaged.stderr,
    /differs from what was written\. Import the release again, or use "gazetteer rollback"\.\n$/,
  );
});
