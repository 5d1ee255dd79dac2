/** What a contributor runs before each commit: types, form, and the tests that are not long. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { reportTime } from './report-time.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const STEPS: readonly (readonly [title: string, script: string])[] = [
  ['Types', 'types'],
  ['Form', 'lint'],
  ['Tests', 'test'],
];

const started = performance.now();
for (const [title, script] of STEPS) {
  console.log(`\n${title}: npm run ${script}`);
  // The dots of the tests are no lines.
  const print = (line: string) => console.log(`\n${line}`);
  const code = await reportTime(title, () => runStep(script), print);
  if (code !== 0) {
    console.error(`\n${title}: failed. "npm run ${script}" repeats this step alone.`);
    process.exit(1);
  }
}
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(`\nEvery check passed, in ${minutes} minutes.`);

async function runStep(script: string): Promise<unknown> {
  const step = spawn('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  const [code] = await once(step, 'exit');
  return code;
}
