/**
 * Bundles the code of the program and of its packages into few files. To find and read its files is
 * most of a start, and a server thread has 700 of them.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';

/** The URL of a file that a thread runs. All files of the bundle are in one folder. */
const THREAD_URL = /(new URL\(["']\.\/([\w-]+))\.ts(["'], import\.meta\.url\))/g;

const NOT_BUNDLED = [
  // Loaded only if they are installed: the peer dependencies, and a driver that `pg` tries.
  '@opentelemetry/*',
  'pg-native',
];

/** Packages in CommonJS call `require` for the modules of Node. */
const REQUIRE =
  "import { createRequire as createPackageRequire } from 'node:module';" +
  'const require = createPackageRequire(import.meta.url);';

/** Writes the files to `out`. The paths of the result begin at `source`. */
export async function bundleProgram(source: string, out: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: source,
    entryPoints: entryPoints(source),
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: NOT_BUNDLED,
    banner: { js: REQUIRE },
    // Names stay as they are, and `node --enable-source-maps` shows the lines of the source.
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    write: false,
  });
  for (const { path, contents, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // The new text has the same length, so that the source maps stay correct.
    const isCode = path.endsWith('.js');
    writeFileSync(path, isCode ? text.replace(THREAD_URL, '$1.js$3') : contents);
  }
  return metafile;
}

/** The folders of the packages whose code is in a bundle. */
export function packagesIn(metafile: Metafile, source: string): string[] {
  const modules = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return [...new Set(modules.flatMap((path) => packageOf(join(source, path))))].sort();
}

/** The program, the library, and what the threads run. */
function entryPoints(source: string): Record<string, string> {
  const threads = globSync('**/*.ts', { cwd: source }).flatMap((path) => {
    const urls = readFileSync(join(source, path), 'utf8').matchAll(THREAD_URL);
    return [...urls].map(([, , name = '']) => join(dirname(path), `${name}.ts`));
  });
  return {
    main: 'main.ts',
    'library/create-directory': 'library/create-directory.ts',
    ...Object.fromEntries(threads.map((path) => [basename(path, '.ts'), path])),
  };
}

/** The folder of the package that a module belongs to. */
function packageOf(module: string): string[] {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module) ?? [];
  return folder === undefined ? [] : [folder];
}
