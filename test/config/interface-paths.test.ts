/** The paths of the interfaces of the directory. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';

function load(flags: Record<string, string>) {
  return loadConfig({ flags, environment: {} });
}

it('interfaces may have any paths of plain segments, also from the file', () => {
  const swapped = load({ 'directory.stu3.path': '/fhir/STU3', 'directory.legacyPath': '/STU3' });
  assert.equal(swapped['directory.stu3.path'], '/fhir/STU3');
  assert.equal(swapped['directory.legacyPath'], '/STU3');
  const text = JSON.stringify({ directory: { legacyPath: '/old', stu3: { path: '/api/STU3' } } });
  const fromFile = loadConfig({ flags: {}, environment: {}, file: { name: 'config.json', text } });
  assert.equal(fromFile['directory.stu3.path'], '/api/STU3');
  assert.equal(fromFile['directory.legacyPath'], '/old');
});

for (const path of [
  '',
  '/',
  'STU3',
  '/STU3/',
  '//STU3',
  '/a b',
  '/a/../b',
  '/a?b',
  '/%41',
  '/api',
]) {
  it(`"${path}" is not a valid path of an interface`, () => {
    assert.throws(() => load({ 'directory.legacyPath': path }), {
      name: 'ConfigError',
      message: /^--directory-legacy-path must be a path such as \/STU3 that .+\. Got ".*"\.$/,
    });
  });
}

it('two interfaces cannot have the same path', () => {
  assert.throws(() => load({ 'directory.legacyPath': '/STU3' }), {
    name: 'ConfigError',
    message:
      'directory.stu3.path and directory.legacyPath are both /STU3. ' +
      'Give each interface its own path.',
  });
});
