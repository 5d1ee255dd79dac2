/**
 * Builds the content of the npm package in `dist/`, and makes package.json its manifest until
 * `--restore`. npm runs it before and after `npm pack`.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NODE_MIN } from '../src/config/version.ts';
import { openDocuments } from '../src/web/documents/document-set.ts';
import { LIBRARY_FILES, packageFolder } from '../src/web/parts/libraries.ts';
import { bundleProgram } from './bundle-program.ts';
import { LIBRARY_TYPES } from './library-types.ts';
import { describeShipped } from './shipped/describe.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const MANIFEST = join(ROOT, 'package.json');
/** The manifest of the checkout, while the one of the package is in its place. */
const KEPT_MANIFEST = join(ROOT, '.package.json.kept');

/** Packages that are in a file of echarts. */
const PARTS: readonly string[] = ['zrender', 'tslib'];

const WEB = join(ROOT, 'src/web');

/** The URL of a file that the code finds beside itself. */
const OWN_URL = /new URL\(["'](\.[^"']*)["'], import\.meta\.url\)/g;

const { values } = parseArgs({ options: { restore: { type: 'boolean', default: false } } });
if (existsSync(KEPT_MANIFEST)) renameSync(KEPT_MANIFEST, MANIFEST);
if (!values.restore) await build();

async function build(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  describeTypes();
  const metafile = await bundleProgram(SOURCE, DIST);
  const copied = [...Object.keys(LIBRARY_FILES), ...PARTS].map((name) =>
    join(ROOT, 'node_modules', name),
  );
  describeShipped(DIST, { metafile, source: SOURCE, copied });
  for (const path of globSync('{parts/assets,templates}/*.{css,js,svg,njk}', { cwd: WEB })) {
    copy(join(WEB, path), join(DIST, path.replace(/^parts\//, '')));
  }
  const { documents, files: linked } = openDocuments(ROOT);
  for (const path of [...documents, ...linked])
    copy(join(ROOT, path), join(DIST, 'documents', path));
  for (const [library, files] of Object.entries(LIBRARY_FILES)) copyLibrary(library, files);
  for (const path of globSync('{*,library/*}.js', { cwd: DIST })) requireOwnFiles(join(DIST, path));
  copyFileSync(MANIFEST, KEPT_MANIFEST);
  writeFileSync(MANIFEST, `${JSON.stringify(packedManifest(), null, 2)}\n`);
}

/** Users see the types of the library only, and these name no others. */
function describeTypes(): void {
  const compiler = join(packageFolder('typescript'), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.package.json'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The code could not be compiled.');
  for (const path of globSync('**/*.d.ts', { cwd: DIST })) {
    if (!LIBRARY_TYPES.test(path)) rmSync(join(DIST, path));
  }
}

/** Throws if the code of a file names another that the package does not have at that place. */
function requireOwnFiles(path: string): void {
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(OWN_URL)) {
    const file = join(dirname(path), name);
    if (!existsSync(file)) throw new Error(`${path} needs ${file}, which does not exist.`);
  }
}

/** The files that the pages use. Of a folder, only templates. `web/parts/libraries.ts` finds them. */
function copyLibrary(library: string, files: readonly string[]): void {
  const from = packageFolder(library);
  const to = join(DIST, 'libraries', library);
  for (const file of files) {
    if (/\.\w+$/.test(file)) copy(join(from, file), join(to, file));
    for (const template of globSync(`${file}/**/*.njk`, { cwd: from })) {
      copy(join(from, template), join(to, template));
    }
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/**
 * Without the parts for development, and without the packages whose code is in `dist/`. The runtime
 * is no dependency: npm would put it on the path of all scripts of the user's project.
 */
function packedManifest(): object {
  const { scripts, devDependencies, overrides, dependencies, optionalDependencies, ...rest } =
    JSON.parse(readFileSync(MANIFEST, 'utf8'));
  return { ...rest, engines: { node: `>=${NODE_MIN}` } };
}
