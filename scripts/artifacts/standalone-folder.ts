/**
 * Lays out a folder that runs without npm and without another Node: the content of the npm package,
 * and Node where `bin/gazetteer` looks for it. `node scripts/artifacts/standalone-folder.ts OUT` makes
 * it of this checkout, after `npm run prepack`, and of the Node in its packages.
 */
import { cpSync, existsSync, globSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addRuntime } from '../shipped/describe.ts';

/** README.md is missing where the image is built. */
const PROGRAM = ['LICENSE', 'README.md', 'bin', 'dist', 'package.json', 'sample'];
const RUNTIME = ['LICENSE', 'bin/node', 'package.json'];

/** `program`: the folder of the npm package. `runtime`: the package with Node, in `out/node_modules`. */
export function layOut(program: string, out: string, runtime: string): void {
  copyParts(program, out, PROGRAM);
  const packages = join(out, 'node_modules');
  mkdirSync(join(packages, '.bin'));
  symlinkSync(`../${runtime}/bin/node`, join(packages, '.bin/node'));
  addRuntime(join(out, 'dist'), join(packages, runtime));
}

function copyParts(from: string, to: string, parts: readonly string[]): void {
  for (const part of parts) {
    const path = join(from, part);
    if (existsSync(path)) cpSync(path, join(to, part), { recursive: true });
  }
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const [runtime] = globSync('node_modules/node-{bin-darwin,darwin,linux}-*', { cwd: root });
  const [out] = process.argv.slice(2);
  if (runtime === undefined) throw new Error('npm has no Node for this platform.');
  if (out === undefined) throw new Error('Name the folder that is made.');
  copyParts(join(root, runtime), join(out, runtime), RUNTIME);
  layOut(root, out, basename(runtime));
}
