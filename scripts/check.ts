/** What a contributor runs before each commit: types, form, and the tests that are not long. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const STEPS: readonly (readonly [title: string, script: string])[] = [
  ['Types', 'types'],
  ['Form', 'lint'],
  ['Tests', 'test'],
];

const started = performance.now();
for (const [title, script] of STEPS) {
  console.log(`\n${title}: npm run ${script}`);
  const { status } = spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n${title}: failed. "npm run ${script}" repeats this step alone.`);
    process.exit(1);
  }
}
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(`\nEvery check passed, in ${minutes} minutes.`);
