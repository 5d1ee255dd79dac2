/** Compares directories of organisations: their load times, their memory and disk, and the cases. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '../../test/storage/postgres/server.ts';
import { importWords, ROOT } from '../data.ts';
import { type Cell, round, type Table } from '../figures.ts';
import { pinned, SERVER_CORES } from '../machine.ts';
import { startProgram } from '../server.ts';
import type { Comparison } from './comparison.ts';
import { ask, type Contestant, memoryOf } from './contestant.ts';
import { DIRECTORY_CASES, type Drawn, PAGE } from './directory-cases.ts';
import { startHapi } from './hapi.ts';
import { CONNECTIONS, measureDirectories, peerTable } from './measure.ts';
import { inParallel } from './order-cases.ts';
import { ROLE_PARAMETER, transactionsOf } from './organization-transactions.ts';
import { openPeerSample, type Sample } from './sample.ts';

interface Loaded {
  readonly contestant: Contestant;
  readonly loadSeconds: number;
  readonly startSeconds: number;
  readonly diskMb: number;
}

export async function compareDirectories(size: number, comparison: Comparison): Promise<Table[]> {
  const { options, postgres, loaders, scratch } = comparison;
  const sample = openPeerSample(size);
  const count = sample.organizations.length;
  const own = await loadOwn(sample, join(scratch, `directory-${size}`));
  const database = `hapi_${size}`;
  const hapi = await loadHapi(sample, database, comparison);
  const both = [own, hapi];
  try {
    const drawn = await drawnFrom(sample, hapi.contestant, postgres, database);
    const contestants = both.map(({ contestant }) => contestant);
    const cases = DIRECTORY_CASES;
    const rows = await measureDirectories(cases, contestants, drawn, loaders, options);
    const people = `${count.toLocaleString('en-GB')} organisations`;
    const title = `${people}, ${CONNECTIONS} connections, ${options.seconds} s of each case`;
    return [
      peerTable('peers-directory', title, rows, ['matches']),
      costs(`${people}: what each product needs`, both),
    ];
  } finally {
    for (const { contestant } of both) await contestant.server.stop();
  }
}

async function loadOwn({ file }: Sample, data: string): Promise<Loaded> {
  const [command = '', ...words] = [
    ...pinned(SERVER_CORES),
    process.execPath,
    ...importWords(file, data),
  ];
  const loadMs = performance.now();
  const { status, stderr } = spawnSync(command, words, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const startMs = performance.now();
  const server = await startProgram(
    ['--data', data, '--threads', '2', '--orders-enabled', 'false', '--log-requests', 'false'],
    { core: SERVER_CORES },
  );
  const contestant: Contestant = {
    name: 'Gazetteer',
    product: 'gazetteer',
    server,
    base: '/STU3',
    headers: {},
  };
  await (await ask(contestant, '/Organization?_count=1')).text();
  return {
    contestant,
    loadSeconds: (startMs - loadMs) / 1000,
    startSeconds: (performance.now() - startMs) / 1000,
    diskMb: bytesOf(data) / 1024 ** 2,
  };
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Creates the search parameter for roles first, so that the organisations are indexed by role. */
async function loadHapi(
  sample: Sample,
  database: string,
  { classPath, postgres, options: { heap } }: Comparison,
): Promise<Loaded> {
  await postgres.run(`CREATE DATABASE ${database}`);
  const { port: databasePort } = postgres;
  const start = () => startHapi({ classPath, version: 'stu3', databasePort, database, heap });
  const filling = contestantOf(await start(), postgres);
  const headers = { 'Content-Type': 'application/fhir+json' };
  const put = { method: 'PUT', headers, body: JSON.stringify(ROLE_PARAMETER) };
  await (await ask(filling, `/SearchParameter/${ROLE_PARAMETER.id}`, put)).text();
  const bodies = transactionsOf(sample);
  const loadMs = performance.now();
  await inParallel(bodies.length, async (number) => {
    const post = { method: 'POST', headers, body: bodies[number] ?? '' };
    await (await ask(filling, '/', post)).text();
  });
  const loadSeconds = (performance.now() - loadMs) / 1000;
  await filling.server.stop();
  await postgres.run('VACUUM ANALYZE', database);
  const [row] = await postgres.run(`SELECT pg_database_size('${database}') AS bytes`);
  const startMs = performance.now();
  const contestant = contestantOf(await start(), postgres);
  await (await ask(contestant, '/Organization?_count=1')).text();
  return {
    contestant,
    loadSeconds,
    startSeconds: (performance.now() - startMs) / 1000,
    diskMb: Number(row?.bytes) / 1024 ** 2,
  };
}

function contestantOf(server: Contestant['server'], postgres: PostgresServer): Contestant {
  return { name: 'HAPI FHIR', product: 'hapi', server, base: '', headers: {}, postgres };
}

async function drawnFrom(
  sample: Sample,
  hapi: Contestant,
  postgres: PostgresServer,
  database: string,
): Promise<Drawn> {
  const sql = "SELECT res_updated AS time FROM hfj_resource WHERE res_type = 'Organization'";
  const stored = (await postgres.run(sql, database)).flatMap(({ time }) =>
    time instanceof Date ? [time.toISOString()] : [],
  );
  const theirs = latestOf(stored);
  const nearest = (later: number) =>
    theirs.reduce((best, one) =>
      Math.abs(one.later - later) < Math.abs(best.later - later) ? one : best,
    );
  const own = sample.organizations.map(({ meta }) =>
    meta.lastUpdated.slice(0, 'YYYY-MM-DD'.length),
  );
  const latest = latestOf(own).slice(0, TIMES_MAX);
  return {
    sample,
    times: {
      gazetteer: latest.map(({ time }) => time),
      hapi: latest.map(({ later }) => nearest(later).time),
    },
    storedPages: await storePages(hapi, sample.organizations.length),
  };
}

const TIMES_MAX = 5;

/**
 * The times without the newest one, newest first, each with the number of later changes. All changes
 * of a transaction, or of a day, have the same time.
 */
function latestOf(times: readonly string[]): { time: string; later: number }[] {
  const later = new Map<string, number>();
  for (const [i, time] of times.toSorted().reverse().entries()) {
    if (!later.has(time)) later.set(time, i);
  }
  return [...later].map(([time, count]) => ({ time, later: count })).slice(1);
}

/** HAPI FHIR stores the results of a search, and serves pages of them until they expire. */
async function storePages(hapi: Contestant, count: number): Promise<string> {
  const headers = { Accept: 'application/fhir+json' };
  const answer = await ask(hapi, `/Organization?_count=${PAGE}`, { headers });
  const id = /_getpages=([\w-]+)/.exec(await answer.text())?.[1];
  if (id === undefined) throw new Error('HAPI FHIR gives no link to a next page');
  const pages = `/?_getpages=${id}&_bundletype=searchset`;
  const last = Math.floor((count - 1) / PAGE) * PAGE;
  await (await ask(hapi, `${pages}&_getpagesoffset=${last}&_count=${PAGE}`, { headers })).text();
  return pages;
}

/** Call this after the cases, when the memory has stopped growing. */
function costs(title: string, both: readonly Loaded[]): Table {
  const memory = both.map(({ contestant }) => memoryOf(contestant));
  const row = (what: string, values: readonly number[], unit: string): Cell[] => [
    what,
    ...values.map(round),
    unit,
  ];
  const rows = [
    row(
      'load',
      both.map(({ loadSeconds }) => loadSeconds),
      's',
    ),
    row(
      'start to the first answer',
      both.map(({ startSeconds }) => startSeconds),
      's',
    ),
    row(
      'memory of the server',
      memory.map(({ server }) => server),
      'MB',
    ),
    row(
      'memory of PostgreSQL',
      memory.map(({ database }) => database),
      'MB',
    ),
    row(
      'disk',
      both.map(({ diskMb }) => diskMb),
      'MB',
    ),
  ];
  const names = both.map(({ contestant }) => contestant.name);
  return { name: 'peers-costs', title, columns: ['what', ...names, 'unit'], rows };
}
