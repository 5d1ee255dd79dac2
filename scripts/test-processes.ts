/** Finds the processes that a test file started, also those that left its process group. */
import { readdirSync, readFileSync } from 'node:fs';

/** The environment variable that marks them. A test that sets an environment must include it. */
export const MARK = 'STARTED_BY_TEST_FILE';

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** Works only on Linux, where a program can read the environment of its processes. */
export function processesWithMark(mark: string): RunningProcess[] {
  if (process.platform !== 'linux') return [];
  const entry = `${MARK}=${mark}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, 'environ').split('\0').includes(entry))
    .map((pid) => ({
      pid: Number(pid),
      command: read(pid, 'cmdline').replaceAll('\0', ' ').trim(),
    }));
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}
