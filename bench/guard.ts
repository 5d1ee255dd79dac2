/**
 * Compares the CPU time for each request between a commit and this tree, and fails if a main case
 * takes over 10 % more. It takes about eight minutes. To learn what a cache or a special path saves,
 * remove it and compare its cases. It starts the sources of both trees: a bundle of an older commit
 * would need the packages of that commit, and warm servers cost the same from either.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importRelease, openSample, ROOT, releaseFile } from './data.ts';
import { markdownOf, round, spreadOf } from './figures.ts';
import { HTTP_CASES, MAIN_HTTP_CASES } from './http/cases.ts';
import { type Compare, measureProcesses } from './http/compare.ts';
import { CONNECTIONS, ratioOf } from './http/measure.ts';
import { SERVER_CORE, withLoadPinned } from './machine.ts';
import { ALL_ORDER_CASES } from './orders/cases.ts';
import { CLIENTS, withOrders } from './orders/run.ts';
import { startProgram } from './server.ts';
import { answerHelp } from './usage.ts';

/** What most of the program's work goes through. */
const MAIN_CASES = [
  ...MAIN_HTTP_CASES,
  'order-create-json',
  'order-create-xml',
  'order-read-json',
].join();
const ALLOWED = 1.1;
const PROCESSES = 3;
/** With fewer, the figures tell when V8 compiled what, which differs from start to start. */
const WARM_UP_REQUESTS = 20_000;

answerHelp(`Usage: npm run bench:guard -- [COMMIT] [options]
  COMMIT             to compare with: the last one that differs from this tree by default
  --cases NAME,…     other cases than the main ones
  --records N        organisations in the release (35000)
  --rounds N         of each case and process (12)
  --seconds N        of each round (0.25)
`);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '0.25' },
    cases: { type: 'string', default: MAIN_CASES },
    records: { type: 'string', default: '35000' },
  },
});
const directoryCases = casesIn(HTTP_CASES);
const orderCases = casesIn(ALL_ORDER_CASES);
const rounds = {
  rounds: Number(values.rounds),
  durationMs: Number(values.seconds) * 1000,
  warmUpRequests: WARM_UP_REQUESTS,
};
const base = git('rev-parse', '--verify', `${positionals[0] ?? lastOther()}^{commit}`);
const place = mkdtempSync(join(tmpdir(), 'gazetteer-guard-'));
const tree = join(place, 'tree');
try {
  git('worktree', 'add', '--detach', tree, base);
  installPackages();
  const rows = await withLoadPinned(async () => [
    ...(directoryCases.length === 0 ? [] : await compareDirectories()),
    ...(orderCases.length === 0 ? [] : await compareOrders()),
  ]);
  const columns = ['case', `CPU µs of ${base.slice(0, 8)}`, 'CPU µs here', 'ratio', ''];
  const table = { name: 'guard', title: 'guard', columns, rows: rows.map(({ cells }) => cells) };
  process.stdout.write(`${markdownOf(table)}\n`);
  const dearer = rows.filter(({ isDearer }) => isDearer).length;
  if (dearer > 0) process.stdout.write(`\n${dearer} cost over ${percent(ALLOWED)} more.\n`);
  process.exitCode = dearer > 0 ? 1 : 0;
} finally {
  git('worktree', 'remove', '--force', tree);
  // A server that was just killed may still write.
  rmSync(place, { recursive: true, force: true, maxRetries: 10 });
}

/** Each tree imports and serves the same release, in its own format. */
async function compareDirectories() {
  const file = releaseFile(Number(values.records));
  const trees = [tree, ROOT].map((path, i) => ({ path, data: join(place, `data-${i}`) }));
  for (const { path, data } of trees) importRelease(path, file, data);
  const edition = await openSample(join(place, 'data-1'));
  // Only settings that every commit to compare with has.
  const settings = ['--log-requests', 'false', '--threads', '1'];
  return compareProcesses(async (compare) => {
    const servers = await Promise.all(
      trees.map(({ path, data }) =>
        startProgram(['--data', data, ...settings], { tree: path, core: SERVER_CORE }),
      ),
    );
    for (const { name, targets, isFresh } of directoryCases) {
      const asked = targets(edition);
      const contestants = servers.map((server) => ({ server, targets: asked, isFresh }));
      await compare(name, contestants, { ...rounds, connections: CONNECTIONS });
    }
    for (const server of servers) await server.stop();
  });
}

async function compareOrders() {
  const here = { tree: ROOT, core: SERVER_CORE };
  const oneThread = ['--threads', '1'];
  return compareProcesses((compare) =>
    withOrders({ tree, core: SERVER_CORE }, oneThread, (before, beforeToken) =>
      withOrders(here, oneThread, async (after, afterToken) => {
        for (const { name, targets, status } of orderCases) {
          const contestants = [
            { server: before, targets: await targets(before, beforeToken), status },
            { server: after, targets: await targets(after, afterToken), status },
          ];
          await compare(name, contestants, { ...rounds, connections: CLIENTS });
        }
      }),
    ),
  );
}

async function compareProcesses(measure: (compare: Compare) => Promise<void>) {
  return (await measureProcesses(PROCESSES, measure)).map(({ name, before, after }) => {
    const ratio = ratioOf(after, before);
    const isDearer = ratio > ALLOWED;
    const costs = [before, after].map((cpus) => round(spreadOf(cpus).median));
    return { isDearer, cells: [name, ...costs, round(ratio), isDearer ? 'dearer' : ''] };
  });
}

function casesIn<Case extends { readonly name: string }>(all: readonly Case[]): readonly Case[] {
  const wanted = values.cases.split(',');
  return all.filter(({ name }) => wanted.includes(name));
}

/** The last commit that can differ from this tree. */
function lastOther(): string {
  return git('status', '--porcelain', '--untracked-files=no') === '' ? 'HEAD~1' : 'HEAD';
}

function percent(ratio: number): string {
  return `${Math.round(100 * (ratio - 1))} %`;
}

/** The packages of this tree, or the commit's own if it has other ones. */
function installPackages(): void {
  const hasSamePackages = git('diff', '--name-only', base, '--', 'package-lock.json') === '';
  if (hasSamePackages) symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  else execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: tree });
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
}
