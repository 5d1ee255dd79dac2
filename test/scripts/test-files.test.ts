/** Which test files a run has: folders, long tests, and those that import what changed. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupsOf, selectTests, testsThatImport } from '../../scripts/test-files.ts';
import { ROOT } from '../tidy/source-files.ts';

const WANTED = { paths: [], isLong: false, changed: undefined };

function filesOf(wanted: Partial<typeof WANTED> | { readonly changed: readonly string[] }) {
  const selection = selectTests(ROOT, { ...WANTED, ...wanted });
  assert.ok('files' in selection, JSON.stringify(selection));
  return selection.files;
}

it('a folder stands for its tests, without the long ones', () => {
  const files = filesOf({ paths: ['test/web/'] } as never);
  assert.ok(files.includes('test/web/pages.http.test.ts'));
  assert.ok(!files.some((file) => file.includes('.browser.')));
});

it('--long stands for the long tests only', () => {
  const files = filesOf({ isLong: true });
  assert.ok(files.includes('test/documents/guides.long.test.ts'));
  assert.ok(files.includes('test/web/pages.browser.test.ts'));
  assert.ok(!files.includes('test/web/pages.http.test.ts'));
});

it('a folder that has only long tests says which option to add', () => {
  assert.deepEqual(selectTests(ROOT, { ...WANTED, paths: ['test/documents'] }), {
    problem: 'test/documents has only long tests. Add --long to run its tests.',
  });
});

it('a changed file stands for the tests that import it, also through other files', () => {
  const files = filesOf({ changed: ['src/fhir/service/failure.ts'] });
  assert.ok(
    files.includes('test/fhir/outcome.test.ts') ||
      files.some((file) => file.includes('test/fhir/')),
  );
  assert.ok(files.includes('test/journeys/serve.test.ts'), 'it starts the program');
  assert.ok(files.includes('test/tidy/form.test.ts'), 'it reads all files');
  assert.ok(!files.includes('test/threads/supervisor.test.ts'));
});

it('the tests of the check with a campaign are those that import it, also through a contract', () => {
  const files = testsThatImport(ROOT, 'test/campaign.ts');
  assert.ok(files.includes('test/directory/index/search.test.ts'));
  assert.ok(files.includes('test/storage/postgres/search.test.ts'));
  assert.ok(!files.includes('test/journeys/orders-killed.long.test.ts'), 'it is a long test');
  assert.ok(!files.includes('test/directory/index/suffix-sort.test.ts'));
});

it('a changed template or style stands for the tests of the sources beside it', () => {
  for (const path of ['src/web/parts/assets/styles.scss', 'src/web/templates/layout.njk']) {
    const files = filesOf({ changed: [path] });
    assert.ok(files.includes('test/web/pages.http.test.ts'), path);
    assert.ok(!files.includes('test/threads/supervisor.test.ts'));
  }
});

it('a changed sample stands for the tests of all sources', () => {
  const files = filesOf({ changed: ['sample/organisations.zip'] });
  for (const file of ['test/cli/import.test.ts', 'test/threads/supervisor.test.ts']) {
    assert.ok(files.includes(file), file);
  }
});

it('each file is in one group, and each long test has its own', () => {
  const files = [...filesOf({}), ...filesOf({ isLong: true })];
  const groups = groupsOf(ROOT, files);
  assert.deepEqual(groups.flat().sort(), [...files].sort());
  for (const group of groups) {
    if (group.some((file) => file.includes('.long.'))) assert.equal(group.length, 1);
  }
});
