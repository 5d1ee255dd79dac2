/**
 * Runs the checks that are too slow for `npm run check`, and lists each with its minutes. A check
 * that takes longer than `--minutes` has failed. `--without WORDS` leaves out the checks whose title
 * has these words. The last line says whether a check failed or was left out.
 */
import { parseArgs } from 'node:util';
import { endingOf } from './gate-ending.ts';
import { type Check, type CheckResult, gateChecks, runCheck, runChecks } from './long-checks.ts';

const { values } = parseArgs({
  options: {
    /** For each check. The longest takes 9 on a quiet machine with two cores, and 20 on a busy one. */
    minutes: { type: 'string', default: '45' },
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
console.log(endingOf(results, checks.filter(isLeftOut)).join('\n'));
if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;

async function timed(check: Check): Promise<CheckResult> {
  const startMs = performance.now();
  const result = await runCheck(check, startMs + minutesMax * 60_000);
  const minutes = (performance.now() - startMs) / 60_000;
  lines.push(`${minutes.toFixed(1).padStart(6)}  ${result.outcome.padEnd(8)} ${check.title}`);
  return result;
}
