/** The CPU time of this thread: other programs on the machine make no difference to it. */

/** Milliseconds since the thread began. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
