/** Compiles a C file of the tests to a library that is loaded into the program before any other. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../tidy/source-files.ts';

/** Why such a library cannot be had here; false where it can. As `skip` of a test takes it. */
export function whyNoLibrary(): string | false {
  if (process.platform !== 'linux') return 'only Linux has LD_PRELOAD';
  return spawnSync('gcc', ['--version']).status !== 0 && 'gcc is not installed';
}

/** `source` is a path from the project's root. */
export function compileLibrary(source: string, library: string): void {
  const words = ['-shared', '-fPIC', '-O2', '-o', library, join(ROOT, source), '-ldl', '-lpthread'];
  const { status, stderr } = spawnSync('gcc', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${source} cannot be compiled: ${stderr}`);
}
