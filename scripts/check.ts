/** Everything that a change must pass: types, form, tests. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const STEPS: readonly (readonly [title: string, script: string])[] = [
  ['Types', 'types'],
  ['Form', 'lint'],
  ['Tests', 'test'],
];

for (const [title, script] of STEPS) {
  console.log(`\n${title}: npm run ${script}`);
  const { status } = spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n${title}: failed. "npm run ${script}" repeats this step alone.`);
    process.exit(1);
  }
}
console.log('\nAll is well.');
