/** The CPU time that an action takes: in all, and in one turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';

type Action = () => unknown;

/** Milliseconds of this process, with garbage collection and the threads of the pool. */
export async function cpuMsOf(action: Action): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The most milliseconds of this thread between two turns of the event loop. */
export async function longestTurnMs(action: Action): Promise<number> {
  let longest = 0;
  let isDone = false;
  const acting = Promise.resolve(action()).finally(() => {
    isDone = true;
  });
  for (let before = threadMs(); !isDone; ) {
    await nextTurn();
    const now = threadMs();
    longest = Math.max(longest, now - before);
    before = now;
  }
  await acting;
  return longest;
}

/** Other programs make no difference. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
