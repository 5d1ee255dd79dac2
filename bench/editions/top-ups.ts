/** Whether an edition after many top-ups costs more than one that is built from nothing of its records. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '../../test/cli/run-in-process.ts';
import { importRelease, openSample, ROOT, releaseFile, run } from '../data.ts';
import { round, type Table } from '../figures.ts';
import { HTTP_CASES, MAIN_HTTP_CASES } from '../http/cases.ts';
import { measureProcesses } from '../http/compare.ts';
import { CONNECTIONS, ratioOf } from '../http/measure.ts';
import { SERVER_CORE, withLoadPinned } from '../machine.ts';
import type { Options } from '../options.ts';
import { startProgram } from '../server.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { changesOf } from './changed-releases.ts';

const TOP_UPS = 200;
const CHANGED_EACH = 5;
const PROCESSES = 3;
const WARM_UP_REQUESTS = 20_000;
const SETTINGS = ['--log-requests', 'false', '--threads', '1'];

export async function runTopUps(options: Options): Promise<Table[]> {
  if (!options.isWanted('top-ups', 'top-ups')) return [];
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-top-ups-'));
  try {
    const [topped, fresh] = ['topped', 'fresh'].map((name) => join(folder, name)) as [
      string,
      string,
    ];
    await topUp(topped, join(folder, 'changes.xml'), options.records);
    const release = join(folder, 'release.xml');
    run(ROOT, [
      'src/main.ts',
      'export',
      '--format',
      'release-xml',
      '--output',
      release,
      '--data',
      topped,
    ]);
    importRelease(ROOT, release, fresh);
    const compared = await withLoadPinned(() => compare(fresh, topped, options));
    const title = `An edition of ${options.records} organisations after ${TOP_UPS} top-ups, against one built from nothing of its records`;
    return [
      valueTable('top-ups', title, [
        ...compared.map(({ name, before, after }) =>
          valueRow(`top-ups-${name}`, `CPU of ${name}`, round(ratioOf(after, before)), ''),
        ),
        valueRow('top-ups-disk', 'size on disk', round(sizeOf(topped) / sizeOf(fresh)), ''),
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Imports the release and then changes of it, always of other records. One process imports all changes,
 * because 200 starts would take most of the time.
 */
async function topUp(data: string, file: string, records: number): Promise<void> {
  const release = releaseFile(records);
  importRelease(ROOT, release, data);
  const textAt = changesOf(release, CHANGED_EACH);
  for (let time = 0; time < TOP_UPS; time++) {
    writeFileSync(file, textAt(time), 'latin1');
    const { code, stderr } = await runInProcess(['import', file, '--data', data, '--quiet']);
    if (code !== 0) throw new Error(stderr);
  }
}

function compare(fresh: string, topped: string, { rounds, seconds }: Options) {
  return measureProcesses(PROCESSES, async (measure) => {
    const edition = await openSample(topped);
    const servers = await Promise.all(
      [fresh, topped].map((data) =>
        startProgram(['--data', data, ...SETTINGS], { core: SERVER_CORE }),
      ),
    );
    for (const { name, targets, isFresh } of HTTP_CASES) {
      if (!MAIN_HTTP_CASES.includes(name)) continue;
      const asked = targets(edition);
      const contestants = servers.map((server) => ({ server, targets: asked, isFresh }));
      await measure(name, contestants, {
        rounds,
        durationMs: seconds * 1000,
        connections: CONNECTIONS,
        warmUpRequests: WARM_UP_REQUESTS,
      });
    }
    for (const server of servers) await server.stop();
  });
}

/** The bytes of the newest edition. */
function sizeOf(data: string): number {
  const editions = join(data, 'editions');
  const newest = join(editions, readdirSync(editions).sort().at(-1)!);
  return readdirSync(newest).reduce((sum, name) => sum + statSync(join(newest, name)).size, 0);
}
