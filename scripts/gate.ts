/**
 * Runs the checks that are too slow for `npm run check`, and lists each with its minutes. A check
 * that takes longer than `--minutes` has failed. `--without WORDS` leaves out the checks whose title
 * has these words: then the last line says that the run is incomplete.
 */
import { parseArgs } from 'node:util';
import { type Check, type CheckResult, gateChecks, runCheck, runChecks } from './long-checks.ts';

const { values } = parseArgs({
  options: {
    /** For each check. The longest takes a third of it on two cores. */
    minutes: { type: 'string', default: '20' },
    without: { type: 'string', multiple: true, default: [] },
  },
});
const minutesMax = Number(values.minutes);
if (!(minutesMax > 0)) {
  console.error('Usage: npm run check:long [-- --minutes N] [--without WORDS]');
  process.exit(2);
}
const lines: string[] = [];
const checks = gateChecks();
const isLeftOut = ({ title }: Check) => values.without.some((words) => title.includes(words));
const results = await runChecks(
  checks.filter((check) => !isLeftOut(check)),
  timed,
);

console.log(`\nMinutes of each check:\n${lines.join('\n')}`);
const failed = results.filter(({ outcome }) => outcome === 'failed');
for (const { title, reasons } of failed) console.error(`Failed: ${title}: ${reasons.join('; ')}`);
const left = [
  ...checks.filter(isLeftOut).map(({ title }) => `${title}: left out by --without`),
  ...results.flatMap(({ title, outcome, reasons }) =>
    outcome === 'failed' ? [] : reasons.map((reason) => `${title}: ${reason}`),
  ),
];
for (const reason of left) console.log(`Left out: ${reason}`);
console.log(left.length === 0 ? 'Complete.' : 'Incomplete: the lines above say what did not run.');
if (failed.length > 0) process.exitCode = 1;

async function timed(check: Check): Promise<CheckResult> {
  const startMs = performance.now();
  const result = await runCheck(check, startMs + minutesMax * 60_000);
  const minutes = (performance.now() - startMs) / 60_000;
  lines.push(`${minutes.toFixed(1).padStart(6)}  ${result.outcome.padEnd(8)} ${check.title}`);
  return result;
}
