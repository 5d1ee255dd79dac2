/**
 * The files of libraries that the pages use: templates, scripts and style sheets. A checkout has
 * them in its packages. The npm package has copies of only these files, because the libraries are
 * much larger.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders and files that the pages use of each library, relative to its package. */
export const LIBRARY_FILES = {
  echarts: ['dist/echarts.esm.min.mjs'],
  'nhsuk-frontend': ['dist'],
  'swagger-ui-dist': ['swagger-ui.css', 'swagger-ui-bundle.js'],
} as const;

type Library = keyof typeof LIBRARY_FILES;

/** The path of one of these files or folders. */
export function libraryFile<Name extends Library>(
  library: Name,
  file: (typeof LIBRARY_FILES)[Name][number],
): string {
  const copy = join(COPIES, library, file);
  return existsSync(copy) ? copy : join(packageFolder(library), file);
}

/** The folder of the package of a library, in a checkout. */
export function packageFolder(library: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${library}/package.json`));
}

const COPIES = fileURLToPath(new URL('./libraries/', import.meta.url));
