/** Folders that take long to make and that tests copy. Each is made once for a run of the tests. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The runner makes this folder for a run of the tests. A file that runs alone makes its own. */
const SHARED = process.env.TEST_SHARED_FOLDER ?? ownFolder();

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-shared-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * The path of what `make` wrote to its path, which no test may change. When several tests make it at
 * the same time, all of them use the result of the first.
 */
export async function madeOnce(
  name: string,
  make: (path: string) => void | Promise<void>,
): Promise<string> {
  const shared = join(SHARED, name);
  if (existsSync(shared)) return shared;
  const folder = mkdtempSync(join(SHARED, 'begun-'));
  const made = join(folder, name);
  await make(made);
  try {
    renameSync(made, shared);
  } catch (error) {
    if (!existsSync(shared)) throw error;
  }
  rmSync(folder, { recursive: true });
  return shared;
}
