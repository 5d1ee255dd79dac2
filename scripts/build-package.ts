/**
 * Builds the content of the npm package in `dist/`, and makes package.json its manifest until
 * `--restore`. npm runs it before and after `npm pack`.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LIBRARY_FILES, packageFolder } from '../src/web/libraries.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const MANIFEST = join(ROOT, 'package.json');
/** The manifest of the checkout, while the one of the package is in its place. */
const KEPT_MANIFEST = join(ROOT, '.package.json.kept');

const LIBRARY_TYPES = 'library/create-directory.d.ts';

/** Copied, because every command needs it, and its package is large. */
const ZOD = join(DIST, 'zod');
const COPIED = new Set([...Object.keys(LIBRARY_FILES), 'zod']);
const LICENCES = /^(?:LICENSE|NOTICE|licenses|package\.json)/;
/** The URL of a file that a thread runs. */
const THREAD_URL = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g;

const { values } = parseArgs({ options: { restore: { type: 'boolean', default: false } } });
if (existsSync(KEPT_MANIFEST)) renameSync(KEPT_MANIFEST, MANIFEST);
if (!values.restore) build();

function build(): void {
  rmSync(DIST, { recursive: true, force: true });
  compile();
  for (const path of globSync('**/*.js', { cwd: DIST })) adaptCode(join(DIST, path));
  // Users see the types of the library only, and these name no others.
  for (const path of globSync('**/*.d.ts', { cwd: DIST })) {
    if (path !== LIBRARY_TYPES) rmSync(join(DIST, path));
  }
  for (const path of globSync('src/**/*.{css,js,svg,njk}', { cwd: ROOT })) {
    copy(join(ROOT, path), join(DIST, path.slice('src/'.length)));
  }
  for (const [library, files] of Object.entries(LIBRARY_FILES)) copyLibrary(library, files);
  // A part of echarts, with a licence of its own.
  copyLibrary('zrender', []);
  copyZod();
  copyFileSync(MANIFEST, KEPT_MANIFEST);
  writeFileSync(MANIFEST, `${JSON.stringify(packedManifest(), null, 2)}\n`);
}

function compile(): void {
  const compiler = join(packageFolder('typescript'), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.package.json'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The code could not be compiled.');
}

/** TypeScript rewrites relative imports, but neither the URLs of threads nor imports of packages. */
function adaptCode(path: string): void {
  const text = readFileSync(path, 'utf8');
  const toZod = relative(dirname(path), join(ZOD, 'index.js'));
  const adapted = text
    .replace(THREAD_URL, "new URL('$1.js', import.meta.url)")
    .replace(/ from 'zod';/g, ` from '${toZod.startsWith('.') ? toZod : `./${toZod}`}';`);
  if (adapted !== text) writeFileSync(path, adapted);
}

/** Only the code: types, sources and further variants are four fifths of the package. */
function copyZod(): void {
  const from = packageFolder('zod');
  for (const path of globSync(['index.js', 'v4/{classic,core,locales}/*.js'], { cwd: from })) {
    copy(join(from, path), join(ZOD, path));
  }
  copyLicences(from, ZOD);
}

/** The files that the pages use, and its licence. Of a folder, only templates. */
function copyLibrary(library: string, files: readonly string[]): void {
  const from = packageFolder(library);
  const to = join(DIST, 'web/libraries', library);
  copyLicences(from, to);
  for (const file of files) {
    if (/\.\w+$/.test(file)) copy(join(from, file), join(to, file));
    for (const template of globSync(`${file}/**/*.njk`, { cwd: from })) {
      copy(join(from, template), join(to, template));
    }
  }
}

/** The manifest names the version, and says what the type of its files is. */
function copyLicences(from: string, to: string): void {
  const names = readdirSync(from).filter((name) => LICENCES.test(name));
  for (const name of names) cpSync(join(from, name), join(to, name), { recursive: true });
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** Without the parts for development, and without the libraries whose files are in `dist/`. */
function packedManifest(): object {
  const { scripts, devDependencies, overrides, dependencies, ...rest } = JSON.parse(
    readFileSync(MANIFEST, 'utf8'),
  );
  const installed = Object.entries(dependencies).filter(([name]) => !COPIED.has(name));
  return { ...rest, dependencies: Object.fromEntries(installed) };
}
