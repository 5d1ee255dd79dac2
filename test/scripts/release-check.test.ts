/** What the release check finds, and how it reads the output of other checks. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { auditResult, licenceFindings, signaturesResult } from '../../scripts/dependencies.ts';
import {
  type Check,
  gateChecks,
  releaseChecks,
  resultOf,
  runCheck,
  runChecks,
} from '../../scripts/long-checks.ts';
import { dateFindings, versionFindings } from '../../scripts/stated-versions.ts';
import { SOFTWARE } from '../../src/config/version.ts';
import { ROOT } from '../tidy/source-files.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('a check of the gate', () => {
  const check = (...words: string[]): Check => ({
    title: 'a check',
    words: ['exec', '--', ...words],
  });

  it('is ended when it takes too long, also if it ignores that, and has failed', async () => {
    const stubborn = check(
      'node',
      '-e',
      'process.on("SIGTERM", () => {}); setInterval(() => {}, 9e8)',
    );
    for (const one of [check('node', '-e', 'setInterval(() => {}, 9e8)'), stubborn]) {
      assert.deepEqual(await runCheck(one, performance.now()), {
        title: 'a check',
        outcome: 'failed',
        reasons: ['it took too long, and was ended'],
      });
    }
  });

  it('has its result where it ends in time', async () => {
    const endMs = performance.now() + 3_600_000;
    assert.equal((await runCheck(check('node', '-e', ''), endMs)).outcome, 'passed');
    assert.equal((await runCheck(check('node', '-e', 'process.exit(1)'), endMs)).outcome, 'failed');
  });
});

describe('the release check', () => {
  it('finds each place with another version', () => {
    const other = (path: string) =>
      read(path).replaceAll(SOFTWARE.version, path === 'CHANGELOG.md' ? 'x' : '9.9.9');
    assert.deepEqual(versionFindings(other), [
      `package.json states 9.9.9, not ${SOFTWARE.version}`,
      `package-lock.json states 9.9.9, not ${SOFTWARE.version}`,
      `package-lock.json states 9.9.9, not ${SOFTWARE.version}`,
      `docs/how-to/use-the-npm-package.md states 9.9.9, not ${SOFTWARE.version}`,
      `docs/how-to/install-without-npm.md states 9.9.9, not ${SOFTWARE.version}`,
      `CHANGELOG.md states x, not ${SOFTWARE.version}`,
    ]);
    assert.deepEqual(
      versionFindings((path) => (path.startsWith('docs/') ? '' : read(path))),
      [
        'docs/how-to/use-the-npm-package.md states no version',
        'docs/how-to/install-without-npm.md states no version',
      ],
    );
  });

  it('wants the date of the release in the change log', () => {
    assert.deepEqual(
      dateFindings(() => `## 1.0.0 (${SOFTWARE.releaseDate})`),
      [],
    );
    for (const [chapter, date] of [
      ['## 1.0.0 (unreleased)', 'unreleased'],
      ['## 1.0.0', 'no date'],
    ] as const) {
      assert.deepEqual(
        dateFindings(() => chapter),
        [`CHANGELOG.md states ${date}, not ${SOFTWARE.releaseDate} as src/config/version.ts`],
      );
    }
  });

  it('finds licences that ask for more than a notice', () => {
    assert.deepEqual(licenceFindings(), []);
    const packages = {
      '': { license: 'Apache-2.0' },
      'node_modules/a': { license: 'MIT' },
      'node_modules/b': { license: 'GPL-3.0' },
      'node_modules/c': {},
      'node_modules/d': { license: 'GPL-3.0', dev: true },
    };
    assert.deepEqual(licenceFindings(JSON.stringify({ packages })), [
      'node_modules/b has the licence GPL-3.0',
      'node_modules/c has the licence unknown',
    ]);
  });

  it('reads the answers of npm audit', () => {
    const resultFor = (answer: unknown) => auditResult('audit', JSON.stringify(answer));
    assert.equal(resultFor({ vulnerabilities: {} }).outcome, 'passed');
    assert.deepEqual(resultFor({ vulnerabilities: { a: { severity: 'high' } } }), {
      title: 'audit',
      outcome: 'failed',
      reasons: ['a has a known vulnerability (high)'],
    });
    assert.deepEqual(resultFor({ message: 'request failed' }), {
      title: 'audit',
      outcome: 'skipped',
      reasons: ['the registry did not answer: request failed'],
    });
    assert.equal(auditResult('audit', 'no JSON').outcome, 'skipped');
  });

  it('reads the answers of npm audit signatures', () => {
    const resultFor = (answer: unknown) => signaturesResult('it', JSON.stringify(answer));
    const one = { name: 'one', version: '1.0.0' };
    assert.equal(resultFor({ invalid: [], missing: [] }).outcome, 'passed');
    const { outcome, reasons } = resultFor({ invalid: [one], missing: [one] });
    assert.equal(outcome, 'failed');
    assert.deepEqual(reasons, [
      'one@1.0.0 is not what the registry signed',
      'one@1.0.0 has no signature of the registry',
    ]);
    assert.deepEqual(resultFor({ error: { summary: 'no network' } }), {
      title: 'it',
      outcome: 'skipped',
      reasons: ['the registry did not answer: no network'],
    });
    assert.equal(signaturesResult('it', '').outcome, 'skipped');
  });

  it('lists what other checks skipped, and why', () => {
    const nothing = 'Skipped test/x: there is no y.\n0 passed, 0 failed, all skipped\n';
    assert.deepEqual(resultOf('x', 0, nothing), {
      title: 'x',
      outcome: 'skipped',
      reasons: ['test/x: there is no y.'],
    });
    const some = '﹣ encrypts (0.1ms) # there is no age\n3 passed, 0 failed, 1 skipped\n';
    assert.deepEqual(resultOf('x', 0, some), {
      title: 'x',
      outcome: 'passed',
      reasons: ['encrypts (0.1ms) # there is no age'],
    });
    const counted = '........\n8 passed, 0 failed, 2 skipped\n';
    assert.deepEqual(resultOf('x', 0, counted).reasons, ['2 tests']);
    assert.deepEqual(resultOf('x', 0, '8 passed, 0 failed, 0 skipped\n').reasons, []);
    const { outcome, reasons } = resultOf('x', 1, some);
    assert.deepEqual([outcome, reasons], ['failed', ['it ended with 1']]);
  });

  it('runs what the gate runs, with scripts that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
    const titles = (checks: readonly { title: string }[]) => checks.map(({ title }) => title);
    const release = titles(releaseChecks());
    for (const title of titles(gateChecks())) assert.ok(release.includes(title), title);
    for (const { words } of releaseChecks()) {
      const name = words.find((word) => word in scripts);
      assert.notEqual(name, undefined, words.join(' '));
    }
  });

  it('runs two checks at a time, also after a failure, and those that measure alone', async () => {
    const checks = ['a', 'alone', 'b', 'c'].map(
      (title): Check => ({ title, words: [], isAlone: title === 'alone' }),
    );
    const running = new Set<string>();
    const beside: Record<string, string[]> = {};
    const results = await runChecks(checks, async ({ title }) => {
      running.add(title);
      await Promise.resolve();
      beside[title] = [...running];
      running.delete(title);
      return { title, outcome: title === 'a' ? 'failed' : 'passed', reasons: [] };
    });
    assert.deepEqual(results.map(({ title }) => title).sort(), ['a', 'alone', 'b', 'c']);
    assert.deepEqual(beside.a, ['a', 'b']);
    assert.deepEqual(beside.alone, ['alone']);
  });
});
