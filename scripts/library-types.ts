/** The files whose types the npm package shows to its users. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Below `src/`, or below `dist/` with the declarations. They name no other types. */
export const LIBRARY_TYPES =
  /^(?:library\/(?!open-)|directory\/(?:ask\/answers|places\/areas|record\/named-code)\.)/;

/** Their paths below `src/`. */
export function libraryTypeFiles(): string[] {
  const source = join(fileURLToPath(new URL('..', import.meta.url)), 'src');
  return globSync('**/*.ts', { cwd: source })
    .filter((path) => LIBRARY_TYPES.test(path))
    .sort();
}
