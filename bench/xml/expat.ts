/** Measures how long expat reads a file, to compare other readers with it. */
import { spawnSync } from 'node:child_process';
import { pinned, SERVER_CORE } from '../machine.ts';

/** The least CPU time of several runs. Undefined if xmlwf, the program of expat, is not installed. */
export function expatCpu(file: string): number | undefined {
  const seconds: number[] = [];
  for (let run = 0; run < EXPAT_RUNS; run++) {
    const words = [...pinned(SERVER_CORE), 'xmlwf', file].map((word) => `'${word}'`).join(' ');
    // The second line of `times` has the CPU time of the child processes.
    const { stdout } = spawnSync('sh', ['-c', `${words} && times`], { encoding: 'utf8' });
    const [, children = ''] = stdout.trim().split('\n');
    const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
    if (parts.length !== 2) return undefined;
    seconds.push(parts.reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0));
  }
  return Math.min(...seconds);
}

const EXPAT_RUNS = 5;
