/** Compiles a C file of the tests to a library for LD_PRELOAD. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../tidy/source-files.ts';

/** Why the library cannot be compiled here, or false where it can: a value for `skip` of a test. */
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
