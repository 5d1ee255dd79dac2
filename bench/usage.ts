/** What the commands of the benchmark answer to `--help`. */

/** Prints the usage and exits, if the command line asks for it. */
export function answerHelp(usage: string): void {
  if (!process.argv.includes('--help')) return;
  process.stdout.write(usage);
  process.exit(0);
}
