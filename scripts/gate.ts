/**
 * Runs the checks of `.ci/run` after `npm run check`, and stops at the first failure. With
 * `--minutes 30`, no check starts after 30 minutes, and one that still runs five minutes later is
 * ended: what a slow machine leaves out is named.
 */
import { parseArgs } from 'node:util';
import { type Check, gateChecks, runCheck, runChecks } from './long-checks.ts';

/** The longest check takes less on a machine of the usual speed. */
const MINUTES_TO_END = 5;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: 'Infinity' } } });
const minutes = Number(values.minutes);
if (Number.isNaN(minutes)) {
  console.error('Usage: npm run check:long [-- --minutes N]');
  process.exit(2);
}
const isTimeOver = () => performance.now() > minutes * 60_000;
const run = (check: Check) => runCheck(check, (minutes + MINUTES_TO_END) * 60_000);
const failed = await runChecks(gateChecks(), { run, isTimeOver });
if (failed !== undefined) {
  console.error(`\n${failed.title}: failed. To repeat only this step, run this command.`);
  process.exit(1);
}
