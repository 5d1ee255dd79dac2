/**
 * SIGTERM in the middle of load, again and again: fails where a request that was sent before the
 * signal has no answer, or where an acknowledged order response is missing after the restart.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { resourceWith } from '../test/journeys/orders-load.ts';
import { ROOT } from './data.ts';
import { PROGRAM_OPTIONS, PROGRAM_USAGE } from './program.ts';
import { type Answer, exchange, openConnection } from './raw-client.ts';
import { makeToken, type RunningProgram, startProgram } from './server.ts';
import { answerHelp } from './usage.ts';

answerHelp(`Usage: npm run bench:restarts -- [options]
  --restarts N       of the server under load (1000)
${PROGRAM_USAGE}`);
const { values } = parseArgs({
  options: { ...PROGRAM_OPTIONS, restarts: { type: 'string', default: '1000' } },
});

/**
 * The number of clients of each kind. Each client sends its next request as soon as it has an
 * answer.
 */
const CLIENTS = {
  readers: 8,
  creators: 8,
  pipeliningReaders: 2,
  readersByNewConnections: 4,
  creatorsByNewConnections: 2,
};

/** Two threads share the connections. */
const SETTINGS = ['--threads', '2', '--pages-enabled', 'false', '--log-requests', 'false'];

/** The number of requests that a pipelining client sends at once. */
const PIPELINED = 4;

/** The time that the load runs before the signal, different in each round. */
const LOAD_MS = [40, 90, 60, 150, 110];

/** A server has ten seconds to answer the requests in progress, and one more to exit. */
const STOP_MS_MAX = 11_000;
const REPORT_EVERY = 25;

interface Round {
  readonly server: RunningProgram;
  /** When the server received the signal to stop. */
  signalMs: number;
}

interface Request {
  readonly text: string;
  readonly count: number;
  readonly status: number;
  /** Called for each answer, with its status. */
  readonly note: (answer: Answer) => void;
}

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-restarts-'));
const totals = { answers: 0, underWay: 0, afterSignal: 0, creates: 0, stopMs: 0 };
const failures: string[] = [];
/** The marks of acknowledged order responses that are not checked yet, by id. */
const acknowledged = new Map<string, string>();
let marks = 0;

try {
  run('import', join(ROOT, 'sample/organisations.zip'), '--quiet');
  const token = makeToken(folder);
  const words = ['--data', folder, ...SETTINGS];
  const restarts = Number(values.restarts);
  for (let restart = 0; restart < restarts && failures.length === 0; restart++) {
    const server = await startProgram(words);
    await requireAcknowledged(server.port, token);
    await playRound({ server, signalMs: Number.POSITIVE_INFINITY }, token, restart);
    if ((restart + 1) % REPORT_EVERY === 0) process.stderr.write(`${report(restart + 1)}\n`);
  }
  const server = await startProgram(words);
  await requireAcknowledged(server.port, token);
  await server.stop();
  run('verify');
  if (failures.length === 0) process.stdout.write(`${report(restarts)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) {
  process.stderr.write(`${failures.join('\n')}\n`);
  process.exitCode = 1;
}

function report(restarts: number): string {
  const { answers, underWay, afterSignal, creates, stopMs } = totals;
  return (
    `${restarts} restarts, ${answers} requests answered, ${underWay} of them in progress at the signal; ` +
    `${afterSignal} sent after it had no answer; 0 sent before it had none; ` +
    `0 of ${creates} acknowledged creates lost; the longest stop took ${Math.round(stopMs)} ms`
  );
}

/** Runs the load, sends the signal during it, and waits for the server to exit. */
async function playRound(round: Round, token: string, restart: number): Promise<void> {
  const { server } = round;
  const read = () => readRequests(1);
  const create = () => createRequest(token);
  const pipeline = () => readRequests(PIPELINED);
  const of = (count: number, client: () => Promise<void>) => Array.from({ length: count }, client);
  const clients = [
    ...of(CLIENTS.readers, () => keepAsking(round, read)),
    ...of(CLIENTS.creators, () => keepAsking(round, create)),
    ...of(CLIENTS.pipeliningReaders, () => keepAsking(round, pipeline)),
    ...of(CLIENTS.readersByNewConnections, () => keepConnecting(round, read)),
    ...of(CLIENTS.creatorsByNewConnections, () => keepConnecting(round, create)),
  ];
  await delay(LOAD_MS[restart % LOAD_MS.length]);
  const exited = once(server.process, 'exit');
  round.signalMs = performance.now();
  const stopped = server.stop();
  const timer = setTimeout(() => server.process.kill('SIGKILL'), STOP_MS_MAX);
  const [code] = await exited;
  clearTimeout(timer);
  totals.stopMs = Math.max(totals.stopMs, performance.now() - round.signalMs);
  if (code !== 0) failures.push(`restart ${restart}: the server ended with ${code}`);
  await Promise.all([stopped, ...clients]);
}

/**
 * Sends requests on one connection, and on a new one when the server closes it, until the server
 * has exited.
 */
async function keepAsking(round: Round, next: () => Request): Promise<void> {
  for (;;) {
    const socket = await openConnection(round.server.port);
    if (socket === undefined) return;
    while (await ask(round, socket, next()));
    socket.destroy();
  }
}

async function keepConnecting(round: Round, next: () => Request): Promise<void> {
  for (;;) {
    const socket = await openConnection(round.server.port);
    if (socket === undefined) return;
    await ask(round, socket, next());
    socket.destroy();
  }
}

/** Sends requests and checks the result. Returns whether the connection can be used again. */
async function ask(round: Round, socket: Socket, request: Request): Promise<boolean> {
  const { text, count, status, note } = request;
  const { answers, sentMs, end } = await exchange(socket, text, count);
  const wrong = answers.find((answer) => answer.status !== status);
  if (wrong !== undefined) failures.push(`${wrong.head}\n${wrong.body}`);
  else for (const answer of answers) note(answer);
  const wasBefore = sentMs !== undefined && sentMs < round.signalMs;
  const isUnderWay = wasBefore && performance.now() > round.signalMs;
  totals.answers += answers.length;
  if (isUnderWay) totals.underWay += answers.length;
  if (answers.length < count) {
    if (wasBefore) failures.push(`sent before the signal, then ${end}: ${text}`);
    else totals.afterSignal += count - answers.length;
  }
  return end === undefined && !answers.some(({ head }) => /\r\nconnection: close/i.test(head));
}

function readRequests(count: number): Request {
  const text = 'GET /STU3/Organization/RTG HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count);
  return { text, count, status: 200, note: () => {} };
}

function createRequest(token: string): Request {
  const mark = `mark ${marks++}`;
  const body = JSON.stringify(resourceWith(mark));
  const text =
    'POST /OrderResponse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json+fhir\r\n' +
    `Authorization: Bearer ${token}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const note = ({ head }: Answer): void => {
    const id = /\r\nlocation: \S*\/OrderResponse\/([^/\s]+)/i.exec(head)?.[1];
    if (id === undefined) throw new Error(`a create without a Location: ${head}`);
    acknowledged.set(id, mark);
    totals.creates += 1;
  };
  return { text, count: 1, status: 201, note };
}

/** Checks, on a few connections, that everything acknowledged since the last check is stored. */
async function requireAcknowledged(port: number, token: string): Promise<void> {
  const waiting = [...acknowledged];
  acknowledged.clear();
  const look = async (): Promise<void> => {
    const socket = await openConnection(port);
    if (socket === undefined) throw new Error('the server takes no connection');
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [id, mark] = next;
      const text =
        `GET /OrderResponse/${id} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n` +
        `Authorization: Bearer ${token}\r\n\r\n`;
      const { answers } = await exchange(socket, text, 1);
      const [answer] = answers;
      const isThere = answer?.status === 200 && JSON.parse(answer.body).description === mark;
      if (isThere) continue;
      const what = answer === undefined ? 'no answer' : `${answer.head}\n${answer.body}`;
      failures.push(`acknowledged and lost: OrderResponse/${id}, ${mark}: ${what}`);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CLIENTS.creators }, look));
}

/** Runs a command of the program on the data folder. */
function run(...words: readonly string[]): void {
  const command = ['src/main.ts', ...words, '--data', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
}
