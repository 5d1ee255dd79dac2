/**
 * Runs the checks of `.ci/run` after `npm run check`, and stops at the first failure. With
 * `--minutes 30`, no check starts after 30 minutes: what a slow machine leaves out is named.
 */
import { parseArgs } from 'node:util';
import { gateChecks, runCheck, runChecks } from './long-checks.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: 'Infinity' } } });
const minutes = Number(values.minutes);
const isTimeOver = () => performance.now() > minutes * 60_000;
const failed = await runChecks(gateChecks(), { run: runCheck, isTimeOver });
if (failed !== undefined) {
  console.error(`\n${failed.title}: failed. To repeat only this step, run this command.`);
  process.exit(1);
}
