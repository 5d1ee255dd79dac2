/** Runs every check before a release. At the end, it lists what failed and what was skipped. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SOFTWARE } from '../src/config/version.ts';
import { auditDependencies, auditSignatures, licenceFindings } from './dependencies.ts';
import { type CheckResult, releaseChecks, runCheck } from './long-checks.ts';
import { dateFindings, versionFindings } from './stated-versions.ts';

const results: CheckResult[] = [
  resultOfFindings(`the version is ${SOFTWARE.version} everywhere`, versionFindings()),
  resultOfFindings(`the change log has the date ${SOFTWARE.releaseDate}`, dateFindings()),
  resultOfFindings('every change is committed', uncommitted()),
  resultOfFindings('licences of the packages', licenceFindings()),
  auditDependencies(),
  auditSignatures(),
];
for (const check of releaseChecks()) results.push(await runCheck(check));
results.push(resultOfFindings('the checks left no file behind', uncommitted()));

console.log(`\nGazetteer ${SOFTWARE.version}\n`);
for (const { title, outcome, reasons } of results) {
  console.log(`${outcome.padEnd(8)} ${title}`);
  for (const reason of reasons) {
    console.log(`         ${outcome === 'passed' ? 'skipped: ' : ''}${reason}`);
  }
}
const failed = results.filter(({ outcome }) => outcome === 'failed').length;
const skipped = results.filter(({ outcome }) => outcome === 'skipped').length;
console.log(`\n${failed} of ${results.length} checks failed, ${skipped} were skipped.`);
if (failed > 0) process.exitCode = 1;

function resultOfFindings(title: string, findings: readonly string[]): CheckResult {
  return { title, outcome: findings.length === 0 ? 'passed' : 'failed', reasons: findings };
}

function uncommitted(): string[] {
  const { stdout, stderr, status, error } = spawnSync('git', ['status', '--porcelain'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  });
  if (error !== undefined) return [`git does not run: ${error.message}`];
  if (status !== 0) return [`git status ended with ${status}: ${stderr.trim()}`];
  return stdout.split('\n').filter((line) => line !== '');
}
