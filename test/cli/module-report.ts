/** Reports the modules that each thread of a program loads. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';

const PRELOADED = new URL('./report-modules.mjs', import.meta.url);

export interface ModuleReport {
  /** For the program, and for the programs that it starts. */
  readonly environment: { readonly MODULE_REPORT: string; readonly NODE_OPTIONS: string };
  /** The URLs of files, and the modules inside Node, of each thread. */
  threads(): readonly (readonly string[])[];
}

export function moduleReport(context: TestContext): ModuleReport {
  const folder = join(temporaryFolder(context), 'modules');
  mkdirSync(folder);
  return {
    environment: { MODULE_REPORT: folder, NODE_OPTIONS: `--import=${PRELOADED}` },
    threads: () =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
  };
}

export function filesOf(modules: readonly string[]): string[] {
  return modules.filter((name) => name.startsWith('file:'));
}

/** The threads that have loaded a file with this name. */
export function threadsOf(report: ModuleReport, file: string): readonly (readonly string[])[] {
  return report.threads().filter((names) => names.some((name) => name.endsWith(`/${file}`)));
}
