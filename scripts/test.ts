/** Runs every test, or those whose paths are given. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-reporter=dot',
    ...(files.length > 0 ? files : ['test/**/*.test.ts']),
  ],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
