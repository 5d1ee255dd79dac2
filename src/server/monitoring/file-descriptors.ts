/**
 * The file descriptors of the process. Node does not report that it is out of them: libuv accepts
 * each new connection with a reserved descriptor, and closes it at once. Only Linux tells the counts.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Log } from './log.ts';

/** The most descriptors that the process may have; undefined if the system does not tell it. */
export function descriptorLimit(
  readLimits: () => string = () => readFileSync('/proc/self/limits', 'utf8'),
): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(attempt(readLimits) ?? '')?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** The descriptors that the process has now. */
export function openDescriptors(): number | undefined {
  // The listing itself needs one.
  const names = attempt(() => readdirSync('/proc/self/fd'));
  return names && names.length - 1;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The parts of the system that the watch needs; tests replace them. */
export interface DescriptorProbe {
  /** Rejects with the code EMFILE or ENFILE if there is no descriptor left. */
  readonly probe: () => Promise<void>;
  readonly nowMs: () => number;
}

const SYSTEM: DescriptorProbe = {
  probe: async () => await (await open('/dev/null')).close(),
  nowMs: () => performance.now(),
};

/** Returns a function to call once a second. It reports a lack of descriptors, at most once a minute. */
export function createDescriptorWatch(
  log: Pick<Log, 'report'>,
  { probe, nowMs }: DescriptorProbe = SYSTEM,
): () => Promise<void> {
  let reportedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    try {
      await probe();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EMFILE' && code !== 'ENFILE') return;
      if (nowMs() - reportedMs < REPORT_EVERY_MS) return;
      reportedMs = nowMs();
      log.report('GZ106', { problem: `${code}. ${RAISE_LIMIT}` });
    }
  };
}

const REPORT_EVERY_MS = 60_000;

const RAISE_LIMIT =
  'Raise the limit of open files (LimitNOFILE in systemd, ulimit -n in a shell), or lower limits.connections.';

/** Why the limit is too small for the connections, or undefined. */
export function descriptorProblem(
  connections: number,
  limit = descriptorLimit(),
): string | undefined {
  if (limit === undefined || limit >= connections) return undefined;
  return `The process may have ${limit} open files, and limits.connections is ${connections}. ${RAISE_LIMIT}`;
}

/** Begins to watch, and returns how to end it. */
export function watchDescriptors(log: Log, connections: number): () => void {
  const problem = descriptorProblem(connections);
  if (problem !== undefined) log.report('GZ105', { problem });
  const watch = createDescriptorWatch(log);
  const timer = setInterval(watch, 1000).unref();
  return () => clearInterval(timer);
}
