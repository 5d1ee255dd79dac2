/** File systems for tests, which only root can mount. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { TestContext } from 'node:test';

/** Mounts one until the test ends, with room for so many bytes. Returns why it cannot be. */
export function mount(context: TestContext, path: string, sizeBytes: number): string | undefined {
  const words = ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=700`, 'tmpfs', path];
  const { status, stderr, error } = spawnSync('mount', words, { encoding: 'utf8' });
  context.after(() => {
    if (status === 0) spawnSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

export function remount(path: string, options: string): string | undefined {
  const words = ['-o', `remount,${options}`, path];
  const { status, stderr } = spawnSync('mount', words, { encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim();
}
