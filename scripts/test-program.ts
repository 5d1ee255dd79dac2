/**
 * The bundle of the program, as the npm package has it, for tests and benchmarks. It is made again
 * when the sources change.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { bundleProgram } from './bundle-program.ts';

/**
 * The path of its main file. Its packages are found in the `node_modules` around it. `name`: of the
 * folder that keeps it, and no older one.
 */
export async function bundledProgram(root: string, name = 'test-program'): Promise<string> {
  const cache = join(root, 'node_modules/.cache', name);
  const bundle = join(cache, hashOfSources(root));
  if (!existsSync(bundle)) {
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    cpSync(join(root, 'sample'), join(cache, 'sample'), { recursive: true });
    const made = mkdtempSync(join(cache, 'begun-'));
    await bundleProgram(join(root, 'src'), made);
    for (const folder of ['parts/assets', 'templates']) {
      const copy = join(made, basename(folder));
      cpSync(join(root, 'src/web', folder), copy, { recursive: true });
    }
    // The documents of the checkout are always the current ones.
    symlinkSync(root, join(made, 'documents'));
    renameSync(made, bundle);
  }
  return join(bundle, 'main.js');
}

function hashOfSources(root: string): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const inputs = ['src/**/*.*', 'sample/**/*.*', 'scripts/bundle-program.ts'];
  for (const path of globSync(inputs, { cwd: root }).sort()) {
    hash.update(path).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex').slice(0, 16);
}
