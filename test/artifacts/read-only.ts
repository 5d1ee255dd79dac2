/** An unpacked folder that cannot be written. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { mustRun } from './clones.ts';

/** `$0` is the folder. */
const MOUNTED = `mount --bind "$0" "$0"
mount -o remount,bind,ro "$0"
if touch "$0/new" 2>/dev/null; then echo "$0 can be written" >&2; exit 1; fi
exec "$@"`;

/**
 * Takes the right to write from all files in `folder`. Root can write nevertheless, so for root the
 * program sees the folder mounted read-only, where the kernel allows it. Returns what starts it.
 */
export function makeReadOnly(context: TestContext, folder: string, program: string): string {
  mustRun('chmod', ['-R', 'a-w', folder]);
  context.after(() => mustRun('chmod', ['-R', 'u+w', folder]));
  const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
  if (process.getuid?.() !== 0 || !canMount) return program;
  const start = join(temporaryFolder(context), 'start');
  const command = `exec unshare --mount sh -euc '${MOUNTED}' '${folder}' '${program}' "$@"`;
  writeFileSync(start, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return start;
}

/** The size and the times of each file. */
export function statesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const { size, mtimeMs, ctimeMs } = statSync(join(folder, path));
      return `${path} ${size} ${mtimeMs} ${ctimeMs}`;
    });
}
