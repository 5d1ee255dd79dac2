/** What `gazetteer verify --from-nothing` says of an edition that a top-up made, and of one that differs. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import type { NamedArrays } from '../../src/directory/arrays/arrays.ts';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { openEditionStore } from '../../src/storage/sqlite/editions/edition-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

it('verify --from-nothing compares the current edition with one built from nothing', async (context) => {
  const folder = temporaryFolder(context);
  const data = join(folder, 'data');
  const verify = async (...words: readonly string[]) =>
    await runInProcess(['verify', '--from-nothing', '--data', data, ...words]);
  for (const revision of [0, 1]) {
    const file = join(folder, `revision-${revision}.xml`);
    const options = { ...releaseDefaults, records: 120, archive: 0, revision };
    const text = [...generateRelease(options)].join('');
    const isTopUp = revision === 1;
    writeFileSync(file, isTopUp ? text.replace('value="Full"', 'value="Partial"') : text);
    const { code, stderr } = await runInProcess(['import', file, '--data', data, '--quiet']);
    assert.equal(code, 0, stderr);
  }
  const same = await verify();
  assert.equal(same.code, 0, same.stderr);
  assert.match(same.stdout, /^edition 2: sound, same as an edition built from nothing$/m);

  await publish(data, (arrays) => ({
    ...arrays,
    'details.hashes': arrays['details.hashes']!.map((word, at) => (at === 7 ? word ^ 1 : word)),
  }));
  const different = await verify();
  assert.equal(different.code, 1);
  const findings = different.stdout.match(/^edition 3: .* differs .*$/gm);
  assert.deepEqual(findings, [
    'edition 3: details.hashes differs from an edition built from nothing',
  ]);
  assert.match(
    different.stderr,
    /differs from one built from nothing\. Import its release with --full/,
  );

  await publish(data, ({ 'sources.hashes': _, ...arrays }) => arrays);
  const older = await verify('--json');
  assert.equal(older.code, 1);
  assert.match(older.stdout, /an earlier version of the program made it/);
});

/** Publishes an edition with the arrays of the current one, changed, and the right checksums. */
async function publish(data: string, change: (arrays: NamedArrays) => NamedArrays): Promise<void> {
  const store = openEditionStore(openDataFolder(data, { mustExist: true }));
  const current = (await store.current())!;
  const draft = await store.begin();
  for (const [name, array] of Object.entries(change(await store.load(current.number)))) {
    await draft.write(name, array);
  }
  const difference = { added: [], changed: [], removed: [], byRole: [] };
  const { publicationDate, source, records } = current;
  await draft.publish({ publicationDate, source, records, difference }, { keep: 5 });
  await store.close();
}
