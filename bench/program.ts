/** The program that a benchmark measures: the bundle that users install, or the sources. */
import { join } from 'node:path';
import { bundledProgram } from '../scripts/test-program.ts';
import { ROOT } from './data.ts';

/** The option of commands that measure the program. */
export const PROGRAM_OPTIONS = {
  'from-source': { type: 'boolean', default: false },
} as const;

export const PROGRAM_USAGE = `  --from-source      measure the sources, not the bundle that users install
`;

/** What measures where the sources spend their time, or compares trees of them, starts this. */
export function sourceProgram(tree: string): string {
  return join(tree, 'src/main.ts');
}

let bundled: Promise<string> | undefined;

/**
 * The path of the main file. The first call makes the bundle, which takes a few seconds: measure
 * times after it.
 */
export async function installedProgram(): Promise<string> {
  if (process.argv.includes('--from-source')) return sourceProgram(ROOT);
  bundled ??= bundledProgram(ROOT, 'bench-program');
  return await bundled;
}
