/** Measures a case on each server, one after the other. */
import { type Cell, quantile, round, spreadOf, type Table } from '../figures.ts';
import { freshTarget } from '../http/measure.ts';
import type { Load, Target } from '../load.ts';
import type { LoadProcesses } from '../load-processes.ts';
import { ask, type Contestant, cpuOf } from './contestant.ts';
import type { DirectoryCase, Drawn } from './directory-cases.ts';
import type { PeerOptions } from './options.ts';
import type { OrderCase, Stored } from './order-cases.ts';

/** Enough to keep two cores and a database busy, and few enough not to queue for long. */
export const CONNECTIONS = 16;

const COLUMNS = [
  'case',
  'what',
  'server',
  'req/s',
  'p50 ms',
  'p99 ms',
  'CPU ms of the server',
  'CPU ms of PostgreSQL',
  'busiest load generator',
];

interface Asked {
  readonly targets: readonly Target[];
  readonly status?: number | undefined;
  readonly isFresh?: boolean | undefined;
}

export async function measureDirectories(
  cases: readonly DirectoryCase[],
  contestants: readonly Contestant[],
  drawn: Drawn,
  loaders: LoadProcesses,
  options: PeerOptions,
): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const one of cases) {
    for (const contestant of contestants) {
      const paths = one.paths(drawn, contestant.product);
      const matches = one.isCompared ? await matchesOf(contestant, paths) : '';
      const cells = await measure(contestant, askedOf(one, contestant, paths), loaders, options);
      rows.push(shown([one.name, one.title, contestant.name, ...cells, matches]));
    }
  }
  return rows;
}

export async function measureOrders(
  cases: readonly OrderCase[],
  contestants: readonly { contestant: Contestant; stored: Stored }[],
  loaders: LoadProcesses,
  options: PeerOptions,
): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const one of cases) {
    for (const { contestant, stored } of contestants) {
      const cannot = one.cannot?.[contestant.product];
      const { status, isFresh } = one;
      const asked = { targets: one.targets(stored).map(withBase(contestant)), status, isFresh };
      const cells =
        cannot === undefined
          ? await measure(contestant, asked, loaders, options)
          : ['cannot', '', '', '', '', ''];
      const title = cannot === undefined ? one.title : `${one.title}: ${cannot}`;
      rows.push(shown([one.name, title, contestant.name, ...cells]));
    }
  }
  return rows;
}

function shown(row: Cell[]): Cell[] {
  process.stderr.write(`${row.join('  ')}\n`);
  return row;
}

/** The number of paths whose matches are counted. */
const COMPARED = 20;

/** The median number of matches. If it is the same, both products search for the same. */
async function matchesOf(contestant: Contestant, paths: readonly string[]): Promise<number> {
  const totals: number[] = [];
  for (const path of paths.slice(0, COMPARED)) {
    const counted = path.includes('_summary=') ? path : `${path}&_summary=count`;
    const answer = await ask(contestant, counted, { headers: JSON_ANSWER });
    const { total } = (await answer.json()) as { readonly total: number };
    totals.push(total);
  }
  return spreadOf(totals).median;
}

const JSON_ANSWER = { Accept: 'application/fhir+json' };

/**
 * Gazetteer caches answers, and HAPI FHIR keeps the results of searches for a minute. A case with
 * `isFirstTime` avoids both: with a parameter that Gazetteer ignores, and with the header that HAPI
 * FHIR has for this purpose.
 */
function askedOf(one: DirectoryCase, contestant: Contestant, paths: readonly string[]): Asked {
  const targets = paths.map((path): Target => ({ path, headers: JSON_ANSWER }));
  if (!one.isFirstTime) return { targets: targets.map(withBase(contestant)) };
  if (contestant.product === 'gazetteer') {
    const lenient = { ...JSON_ANSWER, Prefer: 'handling=lenient' };
    const fresh = targets.map((target) => freshTarget({ ...target, headers: lenient }));
    return { targets: fresh.map(withBase(contestant)), isFresh: true };
  }
  const headers = { ...JSON_ANSWER, 'Cache-Control': 'no-cache' };
  return { targets: targets.map((target) => withBase(contestant)({ ...target, headers })) };
}

function withBase({ base, headers }: Contestant): (target: Target) => Target {
  return (target) => ({
    ...target,
    path: `${base}${target.path}`,
    headers: { ...headers, ...target.headers },
  });
}

async function measure(
  contestant: Contestant,
  asked: Asked,
  loaders: LoadProcesses,
  { seconds, warmUpSeconds }: PeerOptions,
): Promise<Cell[]> {
  const load = { port: contestant.server.port, connections: CONNECTIONS, ...asked };
  await warmUp(load, loaders, warmUpSeconds);
  const before = cpuOf(contestant);
  const {
    requests,
    seconds: took,
    latenciesMs,
    busiest,
  } = await loaders.run({
    ...load,
    durationMs: seconds * 1000,
  });
  const after = cpuOf(contestant);
  const cpuMs = (used: number) => round((used * 1000) / requests);
  return [
    round(requests / took),
    round(quantile(latenciesMs, 0.5)),
    round(quantile(latenciesMs, 0.99)),
    cpuMs(after.server - before.server),
    cpuMs(after.database - before.database),
    `${Math.round(100 * busiest)} %`,
  ];
}

/** The JVM compiles code after a number of calls, and not after a time. */
const WARM_UP_REQUESTS = 5000;
const WARM_UP_STEP_SECONDS = 2;

async function warmUp(
  load: Omit<Load, 'durationMs'>,
  loaders: LoadProcesses,
  secondsMax: number,
): Promise<void> {
  let missing = WARM_UP_REQUESTS;
  for (let left = secondsMax; left > 0 && missing > 0; left -= WARM_UP_STEP_SECONDS) {
    const seconds = Math.min(left, WARM_UP_STEP_SECONDS);
    missing -= (await loaders.run({ ...load, durationMs: seconds * 1000 })).requests;
  }
}

/** Directories also have a column for the number of matches. */
export function peerTable(name: string, title: string, rows: Cell[][], more: string[] = []): Table {
  return { name, title, columns: [...COLUMNS, ...more], rows };
}
