/** Runs several load generators as one. Each is a process with its own core. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './data.ts';
import type { Load, LoadResult } from './load.ts';
import { pin } from './machine.ts';
import { endTogether } from './server.ts';

export interface SharedLoadResult extends LoadResult {
  /** The CPU time of the busiest generator, as a share of a core. Near 1, the generator is the limit. */
  readonly busiest: number;
}

export interface LoadProcesses {
  /** Divides the connections and the targets between the processes. */
  run(load: Load): Promise<SharedLoadResult>;
  stop(): Promise<void>;
}

/** Starts one process for each core in the list. */
export function startLoadProcesses(cores: readonly string[]): LoadProcesses {
  const children = cores.map((core) => {
    const child = fork(join(ROOT, 'bench/load-process.ts'), { serialization: 'advanced' });
    endTogether(child);
    pin(child.pid, core);
    return child;
  });
  return {
    run: async (load) => {
      const shares = shareOut(load.connections, children.length);
      const results = await Promise.all(
        children.map((child, i) => {
          const targets = load.targets.filter((_, at) => at % children.length === i);
          const own = targets.length === 0 ? load.targets : targets;
          return askOne(child, { ...load, targets: own, connections: shares[i] ?? 0 });
        }),
      );
      return {
        requests: results.reduce((sum, { requests }) => sum + requests, 0),
        seconds: Math.max(...results.map(({ seconds }) => seconds)),
        latenciesMs: results.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b),
        busiest: Math.max(...results.map(({ cpuSeconds, seconds }) => cpuSeconds / seconds)),
      };
    },
    stop: async () => {
      for (const child of children.filter(({ exitCode }) => exitCode === null)) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
    },
  };
}

function shareOut(connections: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor((connections + i) / count));
}

type OwnResult = LoadResult & { readonly cpuSeconds: number };

async function askOne(child: ChildProcess, load: Load): Promise<OwnResult> {
  const ended = new AbortController();
  const { signal } = ended;
  child.send(load);
  try {
    const failed = once(child, 'exit', { signal }).then(() => {
      throw new Error('a load generator failed');
    });
    const [result] = await Promise.race([once(child, 'message', { signal }), failed]);
    return result;
  } finally {
    ended.abort();
  }
}
