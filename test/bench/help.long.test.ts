/** Every command of the benchmark says how it is used, and measures nothing then. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { ROOT } from '../../bench/data.ts';

const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

for (const [name, script] of Object.entries(scripts)) {
  const [, file] = /(bench\/\S+\.ts)$/.exec(script) ?? [];
  if (file === undefined) continue;
  it(`npm run ${name} -- --help shows the usage`, () => {
    const words = ['--disable-warning=ExperimentalWarning', file, '--help'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: ROOT,
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.match(stdout, new RegExp(`^Usage: npm run ${name} -- `));
  });
}
