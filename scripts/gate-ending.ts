/** The last lines of the gate: what failed and what did not run. The last one sums up. */
import type { Check, CheckResult } from './long-checks.ts';

export function endingOf(
  results: readonly CheckResult[],
  withoutChecks: readonly Check[],
): readonly string[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const left = [
    ...withoutChecks.map(({ title }) => `${title}: left out by --without`),
    ...results.flatMap(({ title, outcome, reasons }) =>
      outcome === 'failed' ? [] : reasons.map((reason) => `${title}: ${reason}`),
    ),
  ];
  return [
    ...left.map((reason) => `Left out: ${reason}`),
    ...failed.flatMap(({ title, reasons, failures = [] }) => [
      `Failed: ${title}: ${reasons.join('; ')}`,
      ...failures.map((line) => `  ${line}`),
    ]),
    summaryOf(failed.length, left.length),
  ];
}

function summaryOf(failed: number, left: number): string {
  if (failed > 0) return `Failed: ${failed} ${failed === 1 ? 'check' : 'checks'}.`;
  return left === 0 ? 'Complete.' : 'Incomplete: the lines above say what did not run.';
}
