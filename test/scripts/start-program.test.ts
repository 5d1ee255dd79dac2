/** `bin/gazetteer`: without a packaged Node, it runs the program on a Node that is new enough. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { NODE_MIN } from '../../src/cli/doctor-machine.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

for (const [version, isNewEnough] of [
  ['v20.19.4', false],
  ['v24.3.0', false],
  [`v${NODE_MIN}.0`, true],
  ['v26.0.1', true],
] as const) {
  it(`Node ${version} ${isNewEnough ? 'runs' : 'does not run'} the program`, (context) => {
    const folder = temporaryFolder(context);
    for (const name of ['bin', 'dist', 'path']) mkdirSync(join(folder, name));
    cpSync(join(ROOT, 'bin/gazetteer'), join(folder, 'bin/gazetteer'));
    const node = `#!/bin/sh\ncase $1 in --version) echo ${version};; *) echo "ran $*";; esac\n`;
    writeFileSync(join(folder, 'path/node'), node, { mode: 0o700 });
    const { status, stdout, stderr } = spawnSync(join(folder, 'bin/gazetteer'), ['serve'], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'path')}:${process.env.PATH}` },
    });
    if (isNewEnough) assert.match(stdout, /^ran .*dist\/main\.js serve$/m);
    else {
      assert.equal(status, 1);
      assert.match(
        stderr,
        new RegExp(`it cannot use ${version}: install Node ${NODE_MIN} or newer`),
      );
    }
  });
}
