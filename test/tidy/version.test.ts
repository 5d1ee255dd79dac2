/** Every place states the same version, and each dependency has its reason. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { versionFindings } from '../../scripts/stated-versions.ts';
import { ROOT } from './source-files.ts';

const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

it('every place states the version of the program', () => {
  assert.deepEqual(versionFindings(), []);
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
