/** Installs the clients that have a lockfile of their own, and runs their tests: test/clients/. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** No script of theirs runs: what they install is plain JavaScript. */
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

const STEPS: readonly (readonly [command: string, words: readonly string[], cwd: string])[] = [
  ['npm', INSTALL, `${root}test/clients`],
  [process.execPath, ['scripts/test.ts', 'test/clients/*.test.ts'], root],
];

for (const [command, words, cwd] of STEPS) {
  const { status, error } = spawnSync(command, words, { cwd, stdio: 'inherit' });
  if (status === 0) continue;
  console.error(error?.message ?? `"${command} ${words.join(' ')}" failed in ${cwd}`);
  process.exit(1);
}
