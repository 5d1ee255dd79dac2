/** Says how long a step takes while it runs, so that nobody takes silence for a fault. */
const REPORT_MS = 10_000;

/** Prints a line every ten seconds until `work` ends. */
export async function reportTime<Result>(
  title: string,
  work: () => Promise<Result>,
  print: (line: string) => void,
): Promise<Result> {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += REPORT_MS / 1000;
    print(`${title}: running for ${seconds} seconds`);
  }, REPORT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
