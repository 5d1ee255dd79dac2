/** The project's own source files, as git lists them, for tests of their form. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the project's root: `src/fhir/handle.ts`. */
  readonly path: string;
  readonly text: string;
}

/** TypeScript and JavaScript, tracked or new, generated tables aside. */
export function sourceFiles(): SourceFile[] {
  return projectFiles()
    .filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith('.generated.ts'))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** Every file of the project that git does not ignore and that is there. */
export function projectFiles(): string[] {
  const list = (...words: string[]) =>
    execFileSync('git', ['ls-files', '-z', ...words], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const deleted = new Set(list('--deleted'));
  return list('--cached', '--others', '--exclude-standard').filter(
    (path) => path !== '' && !deleted.has(path),
  );
}

/** The files of the project that a source file imports, from the project's root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
  const urls = [...text.matchAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)];
  return [...specifiers, ...urls].map(([, specifier = '']) =>
    new URL(specifier, `file:///${path}`).pathname.slice(1),
  );
}
