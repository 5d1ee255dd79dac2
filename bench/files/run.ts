/**
 * Through how many files of `src/` a request passes, counted by V8's call counts of one warm
 * request in the server thread.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT, run } from '../data.ts';
import { markdownOf, type Table } from '../figures.ts';
import { bodiesOf, createTarget } from '../orders/cases.ts';
import { makeToken, type RunningProgram, startProgram } from '../server.ts';
import { answerHelp } from '../usage.ts';
import { filesProblem } from './files-problem.ts';

answerHelp(`Usage: npm run bench:files -- [options]
  --list             print the names of the files too
`);
const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });

interface Case {
  readonly title: string;
  /** The most files that it may pass through. */
  readonly most: number;
  readonly send: (server: RunningProgram, turn: number) => Promise<Response>;
}

/** So many requests before the one that counts, so that everything is loaded and compiled. */
const WARM_UP = 20;
/** What the threads do at times, such as probes and statistics, is no part of a request. */
const ROUNDS = 5;
/** The threads tell their files within this time, unless the machine is very busy. */
const TELL_MS = 300;

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-files-'));
try {
  run(ROOT, ['src/main.ts', 'import', 'sample/organisations.zip', '--data', folder]);
  const token = makeToken(folder);
  const server = await startProgram(['--data', folder, '--threads', '1'], {
    tree: ROOT,
    nodeOptions: ['--import', join(ROOT, 'bench/files/record-calls.ts')],
  });
  try {
    process.stdout.write(`${markdownOf(await filesTable(server, token))}\n`);
  } finally {
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The exit code is 1 if there is a problem with a request. */
async function filesTable(server: RunningProgram, token: string): Promise<Table> {
  const rows: (string | number)[][] = [];
  for (const one of cases(token, await someCodes(server))) {
    const files = await filesOf(server, one);
    rows.push([one.title, files.length, one.most]);
    if (values.list) process.stdout.write(`${one.title}\n  ${files.join('\n  ')}\n`);
    const problem = filesProblem(files.length, one.most);
    if (problem === undefined) continue;
    process.stderr.write(`${one.title}: ${problem}\n`);
    process.exitCode = 1;
  }
  return { name: 'files', title: 'files', columns: ['request', 'files', 'at most'], rows };
}

/** The codes of organisations, so that each read is of one that nobody read before. */
async function someCodes(server: RunningProgram): Promise<readonly string[]> {
  const answer = await fetch(
    `${server.origin}/R4/Organization?active=true&_count=${WARM_UP + ROUNDS}`,
  );
  if (!answer.ok) throw new Error(await answer.text());
  const { entry } = (await answer.json()) as {
    readonly entry: readonly { readonly resource: { readonly id: string } }[];
  };
  return entry.map(({ resource }) => resource.id);
}

function cases(token: string, codes: readonly string[]): Case[] {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json+fhir' };
  const created: string[] = [];
  let bodies: Awaited<ReturnType<typeof bodiesOf>> | undefined;
  return [
    {
      title: 'search of organisations that nobody sent before',
      most: 40,
      send: (server, turn) =>
        fetch(`${server.origin}/STU3/Organization?name=hos&_lastUpdated=gt2000-01-${day(turn)}`),
    },
    {
      title: 'read of an organisation that nobody read before',
      most: 30,
      send: (server, turn) => fetch(`${server.origin}/STU3/Organization/${codes[turn - 1]}`),
    },
    {
      title: 'create of an order response',
      most: 50,
      send: async (server) => {
        bodies ??= await bodiesOf(server, token);
        const { path, ...request } = createTarget(bodies, 'json', token);
        const answer = await fetch(server.origin + path, request as RequestInit);
        created.push(answer.headers.get('Location')?.replace(/\/_history.*/, '') ?? '');
        return answer;
      },
    },
    {
      title: 'read of an order response',
      most: 50,
      send: (_server, turn) => fetch(created[turn - 1] ?? '', { headers }),
    },
    {
      title: 'search of order responses',
      most: 50,
      send: (server, turn) =>
        fetch(`${server.origin}/OrderResponse?date=gt2000-01-${day(turn)}`, { headers }),
    },
  ];
}

/** The files of a round in which the fewest had calls. */
async function filesOf(server: RunningProgram, { send, title }: Case): Promise<string[]> {
  let turn = 0;
  const ask = async () => {
    turn += 1;
    const answer = await send(server, turn);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${title}: ${answer.status} ${text}`);
  };
  for (let i = 0; i < WARM_UP; i++) await ask();
  const found: string[][] = [];
  for (let i = 0; i < ROUNDS; i++) {
    await taken(server);
    await ask();
    found.push(await taken(server));
  }
  const measured = found.filter((files) => files.length > 0);
  return measured.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** What the server thread has recorded since the last time; it alone has a listener. */
async function taken(server: RunningProgram): Promise<string[]> {
  const before = recorded(server).length;
  server.process.kill('SIGUSR2');
  await delay(TELL_MS);
  const threads = recorded(server).slice(before);
  return threads.find((files) => files.includes('server/http-listener.ts'))?.sort() ?? [];
}

function recorded(server: RunningProgram): string[][] {
  const lines = server.log().filter(({ msg }) => msg === 'calls');
  return lines.map(({ files }) => files as string[]);
}

function day(turn: number): string {
  return String(turn).padStart(2, '0');
}
