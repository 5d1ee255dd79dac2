/** The version is said once for people and once for npm: both say the same. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { SOFTWARE } from '../../src/version.ts';
import { ROOT } from './source-files.ts';

const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

it('the version of the program is that of its package', () => {
  assert.equal(SOFTWARE.version, packageJson.version);
});

it('the change log has a chapter on it', () => {
  const log = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  assert.match(log, new RegExp(`^## ${SOFTWARE.version.replaceAll('.', '\\.')}\\b`, 'm'));
});

it('every run-time dependency has its reason in a decision record', () => {
  const record = readFileSync(
    join(ROOT, 'docs/explanation/decisions/0002-dependencies.md'),
    'utf8',
  );
  const unexplained = Object.keys(packageJson.dependencies).filter(
    (name) => !record.includes(`\`${name}\``),
  );
  assert.deepEqual(unexplained, []);
});
