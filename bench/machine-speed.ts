/**
 * How much slower than usual the machine is now. The cores of a virtual machine can be several times
 * slower for seconds or hours, in CPU time too: a limit of CPU time is multiplied by this.
 */

/** What `compute` takes on the machine of the published figures (docs/explanation/performance.md) when it is quiet. */
const USUAL_MS = 40;

/** 1 on a machine of the usual speed, or a faster one. Takes 40 ms. */
export function slowness(): number {
  const startMs = userMs();
  for (let i = 0; i < REPEATS; i++) compute();
  return Math.max(1, (userMs() - startMs) / USUAL_MS);
}

/**
 * The time that this thread has worked, without that of the kernel for it: other programs make no
 * difference, and neither does a slow disk.
 */
export function userMs(): number {
  return process.threadCpuUsage().user / 1000;
}

const TEXT = JSON.stringify(
  Array.from({ length: 4000 }, (_, i) => ({
    code: `A${i}`,
    names: [`NAME ${i}`, 'x'.repeat(i % 50)],
  })),
);

const REPEATS = 8;

/** Makes objects and texts, and throws them away, as a parser does. */
function compute(): void {
  const records: { code: string; names: string[] }[] = JSON.parse(TEXT);
  const byCode = new Map(records.map((record) => [record.code, record]));
  if (JSON.stringify([...byCode.values()]).length !== TEXT.length)
    throw new Error('cannot compute');
}
