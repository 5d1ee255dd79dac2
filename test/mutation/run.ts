/**
 * Changes the files that decide on limits, authorisation, preconditions, paging and audit, one
 * small change at a time, and counts how many of these mutants their tests notice:
 * `npm run test:mutation [-- FILE …]`. Exits with 1 if fewer than 90 of 100 are noticed.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../tidy/source-files.ts';
import { judgementOf } from './judged.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { TARGETS, type Target } from './targets.ts';

const SCORE_MIN = 0.9;
/**
 * A test that takes this many times longer than without a mutant hangs, and so detects the
 * mutant.
 */
const SLOWER_MAX = 10;
const TIMEOUT_MIN_MS = 10_000;

interface Survivor {
  readonly file: string;
  readonly mutant: Mutant;
  readonly judgement: string | undefined;
}

const wanted = process.argv.slice(2);
const targets = TARGETS.filter(({ file }) => wanted.length === 0 || wanted.includes(file));
const unmutatedMs = new Map<string, number>();
const survivors: Survivor[] = [];
let mutants = 0;

for (const test of new Set(targets.flatMap(({ tests }) => tests))) {
  const startMs = performance.now();
  if (!(await passes(test, undefined, 120_000))) {
    console.error(`${test} fails without a mutant. Mend it first.`);
    process.exit(1);
  }
  unmutatedMs.set(test, performance.now() - startMs);
}
for (const target of targets) await tryTarget(target);
report();

async function tryTarget({ file, tests }: Target): Promise<void> {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const found = mutantsOf(source);
  const waiting = found.values();
  const ordered = [...tests];
  const survived: Survivor[] = [];
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (const mutant of waiting) {
      if (await isNoticed(file, mutant, ordered)) continue;
      survived.push({ file, mutant, judgement: judgementOf(file, source, mutant) });
    }
  });
  await Promise.all(workers);
  mutants += found.length;
  survivors.push(...survived.toSorted((a, b) => a.mutant.start - b.mutant.start));
  console.log(`${file}: ${found.length - survived.length} of ${found.length} noticed`);
  for (const { mutant, judgement } of survived) {
    const original = source.slice(mutant.start, mutant.end).replaceAll(/\s+/g, ' ');
    const why = judgement === undefined ? '' : ` (${judgement})`;
    console.log(`  ${file}:${mutant.line} ${original} -> ${mutant.replacement}${why}`);
  }
}

/** A test that has noticed a mutant goes to the front: it is likely to notice the next one. */
async function isNoticed(file: string, mutant: Mutant, tests: string[]): Promise<boolean> {
  for (const test of [...tests]) {
    const timeoutMs = Math.max(TIMEOUT_MIN_MS, (unmutatedMs.get(test) ?? 0) * SLOWER_MAX);
    if (await passes(test, { file, mutant }, timeoutMs)) continue;
    tests.splice(tests.indexOf(test), 1);
    tests.unshift(test);
    return true;
  }
  return false;
}

/** Runs a test file in a process of its own, with a mutant or without. */
function passes(
  test: string,
  change: { readonly file: string; readonly mutant: Mutant } | undefined,
  timeoutMs: number,
): Promise<boolean> {
  const loader = new URL('load-mutant.ts', import.meta.url).href;
  const url = change && pathToFileURL(join(ROOT, change.file)).href;
  const child = spawn(
    process.execPath,
    // A mutant may never stop to allocate.
    [
      '--max-old-space-size=1024',
      '--disable-warning=ExperimentalWarning',
      '--import',
      loader,
      test,
    ],
    {
      cwd: ROOT,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, GAZETTEER_MUTANT: JSON.stringify({ url, ...change?.mutant }) },
    },
  );
  return new Promise((resolve) => {
    const timer = setTimeout(() => endGroup(child.pid), timeoutMs);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

/** The test and whatever it has started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function report(): void {
  const equivalent = survivors.filter(({ judgement }) => judgement !== undefined).length;
  const noticed = mutants - survivors.length;
  const score = noticed / (mutants - equivalent);
  console.log(
    `${mutants} mutants: ${noticed} noticed, ${survivors.length} not, of which ${equivalent} ` +
      `change nothing that can be seen; score ${(score * 100).toFixed(1)} %`,
  );
  console.log(`${noticed + equivalent} passed, ${survivors.length - equivalent} failed`);
  if (!(score >= SCORE_MIN)) process.exitCode = 1;
}
