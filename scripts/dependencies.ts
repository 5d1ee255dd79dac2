/** Checks the packages of the program: their licences, signatures and known vulnerabilities. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CheckResult } from './long-checks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Permissive licences: anyone may use, change and distribute the program, with a notice. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  // Of Python: a notice, and a summary of changes if there are any.
  'PSF-2.0',
]);

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
}

/** A sentence for each package with another licence. Ignores packages for development. */
export function licenceFindings(lockfile = readFileSync(`${root}package-lock.json`, 'utf8')) {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(lockfile);
  return Object.entries(packages)
    .filter(([path, { license = '', dev }]) => path !== '' && !dev && !LICENCES.has(license))
    .map(([path, { license }]) => `${path} has the licence ${license ?? 'unknown'}`);
}

/** Asks the npm registry. */
export function auditDependencies(): CheckResult {
  const title = 'npm audit --omit=dev';
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return auditResult(title, stdout);
}

export function auditResult(title: string, output: string): CheckResult {
  const { vulnerabilities, message = 'the answer of npm cannot be read' } = answerIn(output);
  if (vulnerabilities === undefined) {
    return { title, outcome: 'skipped', reasons: [`the registry did not answer: ${message}`] };
  }
  const reasons = Object.entries(vulnerabilities).map(
    ([name, { severity }]) => `${name} has a known vulnerability (${severity})`,
  );
  return { title, outcome: reasons.length === 0 ? 'passed' : 'failed', reasons };
}

/** Asks the registry whether it signed each installed package. */
export function auditSignatures(): CheckResult {
  const title = 'npm audit signatures';
  const words = ['audit', 'signatures', '--json', '--fetch-retries=0'];
  const { stdout } = spawnSync('npm', words, { cwd: root, encoding: 'utf8' });
  return signaturesResult(title, stdout);
}

export function signaturesResult(title: string, output: string): CheckResult {
  const { invalid, missing, error } = answerIn(output);
  if (invalid === undefined || missing === undefined) {
    const reason = error?.summary ?? 'the answer of npm cannot be read';
    return { title, outcome: 'skipped', reasons: [`the registry did not answer: ${reason}`] };
  }
  const reasons = [
    ...invalid.map((one) => `${one.name}@${one.version} is not what the registry signed`),
    ...missing.map((one) => `${one.name}@${one.version} has no signature of the registry`),
  ];
  return { title, outcome: reasons.length === 0 ? 'passed' : 'failed', reasons };
}

interface NamedPackage {
  readonly name: string;
  readonly version: string;
}

interface AuditAnswer {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  readonly message?: string;
  readonly invalid?: readonly NamedPackage[];
  readonly missing?: readonly NamedPackage[];
  readonly error?: { readonly summary?: string };
}

function answerIn(output: string): AuditAnswer {
  try {
    return JSON.parse(output);
  } catch {
    return {};
  }
}
