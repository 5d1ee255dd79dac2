/** What an import publishes: nothing if the records are the same, and an older release with a warning. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { describeReport } from '../../src/cli/sources/import-report.ts';
import type { ImportReport } from '../../src/directory/import/import-edition.ts';
import { importedSample } from '../imported-sample.ts';
import { organisation, releaseXml } from '../sources/release-file/release-fixture.ts';
import { deletionList } from '../sources/top-up/top-up-fixture.ts';
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

it('an import that takes what has not changed makes the same edition as one with --full', async (context) => {
  const folder = temporaryFolder(context);
  const importAll = async (name: string, ...words: readonly string[]) => {
    const data = join(folder, name);
    for (const revision of [0, 1, 2]) {
      const file = join(folder, `release-${revision}.xml`);
      const options = { ...releaseDefaults, records: 400, archive: 0, revision };
      writeFileSync(file, [...generateRelease(options)].join(''));
      const imported = await runInProcess(['import', file, '--data', data, '--quiet', ...words]);
      assert.equal(imported.code, 0, imported.stderr);
    }
    return join(data, 'editions', '000003');
  };
  const merged = await importAll('merged');
  const full = await importAll('full', '--full');
  const names = readdirSync(full).filter((name) => !/^(?:manifest|changes\.editions)\b/.test(name));
  assert.ok(names.length > 300);
  for (const name of names) {
    assert.deepEqual(readFileSync(join(merged, name)), readFileSync(join(full, name)), name);
  }
});

it('an import of the same changes publishes an edition only with --again', async (context) => {
  const folder = temporaryFolder(context);
  const file = join(folder, 'release.xml');
  const changes = join(folder, 'part.xml');
  const text = [...generateRelease({ ...releaseDefaults, records: 60, archive: 0 })].join('');
  writeFileSync(file, text);
  writeFileSync(changes, text.replace('value="Full"', 'value="Partial"'));
  const importFile = async (path: string, ...words: readonly string[]) => {
    const run = await runInProcess(['import', path, '--data', join(folder, 'data'), ...words]);
    assert.equal(run.code, 0, run.stderr);
    return run.stdout;
  };
  await importFile(file, '--quiet');
  assert.match(await importFile(changes), /To publish them again, use --again\. Edition 1 stays/);
  const json = JSON.parse(await importFile(changes, '--again', '--json'));
  assert.deepEqual([json.outcome, json.edition.number, json.topUp.edition], ['published', 2, 1]);
  assert.match(await importFile(changes, '--again', '--full'), /^Edition 3, .* is now current/m);
});

it('an import that publishes nothing says what it warns of', async (context) => {
  const data = await importedSample(context);
  const removals = join(data, 'removals.json');
  const list = deletionList('Organization-deletion', 'RR8', '9999-12-31');
  writeFileSync(removals, JSON.stringify(list));
  const { code, stdout } = await runInProcess(['import', removals, '--data', data]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Warnings:\n {2}future removal: 1 \(RR8: .*9999-12-31\)\nThe directory already has/m,
  );
});

it('an import of FHIR warns that the relationships of the release are gone', async (context) => {
  const folder = temporaryFolder(context);
  const release = join(folder, 'release.xml');
  const fhir = join(folder, 'organisations.ndjson');
  writeFileSync(release, [...generateRelease({ ...releaseDefaults, records: 60 })].join(''));
  const run = async (...words: readonly string[]) => {
    const ended = await runInProcess([...words, '--data', join(folder, 'data')]);
    assert.equal(ended.code, 0, ended.stderr);
    return ended;
  };
  assert.doesNotMatch((await run('import', release, '--quiet')).stderr, /Warning/);
  writeFileSync(fhir, (await run('export', '--format', 'ndjson')).stdout);
  const lost = await run('import', fhir, '--quiet', '--report', join(folder, 'report.json'));
  assert.match(lost.stderr, /^Warning: the new edition has no relationships .* release file.*\n$/);
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  assert.equal(report.lostRelationships, true);
  const same = JSON.parse((await run('import', fhir, '--again', '--json')).stdout);
  assert.deepEqual([same.edition.number, same.lostRelationships], [3, undefined]);
});

it('names the damaged file of the current edition, also with --quiet', async (context) => {
  const data = await importedSample(context);
  const release = join(data, 'release.xml');
  writeFileSync(release, releaseXml([organisation('<Name>A Ward</Name>', { code: 'A1' })]));
  const words = ['import', release, '--quiet', '--allow-shrink', '--again', '--data', data];
  assert.equal((await runInProcess(words)).code, 0);
  const file = join(data, 'editions', '000002', 'rows.values.bin');
  const bytes = readFileSync(file);
  bytes[0]! ^= 1;
  writeFileSync(file, bytes);
  const { code, stdout, stderr } = await runInProcess(words);
  assert.deepEqual([code, stdout], [0, '']);
  assert.ok(stderr.startsWith(`Warning: Edition 2 cannot be read: ${file}: `), stderr);
  assert.match(stderr, /The new edition is compared with edition 1\.\n$/);
});

it('the text of a report has reference-only records apart from those that are left out', () => {
  const edition = { number: 1, publicationDate: '2026-08-28', added: 2, changed: 0, removed: 0 };
  const leftOut = {
    'reference-only': { count: 2, examples: ['R1'] },
    duplicate: { count: 1, examples: ['A1'] },
  };
  const report = { edition, read: 5, imported: 2, leftOut, warnings: {} };
  assert.equal(
    describeReport(report as unknown as ImportReport, 1),
    'Read 5 records in 1 s and imported 2.\n' +
      'Left out:\n  duplicate: 1 (A1)\n' +
      'Reference-only, which R4 serves unless there is a full record: 2 (R1, …)\n' +
      'Edition 1, published 2026-08-28, is now current: 2 added, 0 changed, 0 removed.\n',
  );
});
