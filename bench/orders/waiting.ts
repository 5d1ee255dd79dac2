/** Readers that wait for changes: their memory, and what each commit and each create costs with them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { aimCell, type Cell, round, spreadOf, type Table } from '../figures.ts';
import { runLoad } from '../load.ts';
import { cpuSeconds, residentMb } from '../machine.ts';
import type { Options } from '../options.ts';
import type { RunningProgram } from '../server.ts';
import { bodiesOf, createTarget } from './cases.ts';
import { CLIENTS, ordersMetrics, withOrders } from './run.ts';

const NAME = 'order-waiting';
const LIMITS = ['--limits-waiting-per-client', '5000', '--limits-connections-per-client', '0'];

export async function runWaiting(options: Options): Promise<Table[]> {
  const rows: Cell[][] = [];
  for (const [readers, clients] of [
    [100, CLIENTS],
    [100, 1],
    [1000, CLIENTS],
    [1000, 1],
  ] as const) {
    const one = `${NAME}-${readers}-${clients}`;
    if (!options.isWanted(NAME, one)) continue;
    const row = await withOrders({}, LIMITS, (server, token) =>
      measure(one, readers, clients, server, token, options),
    );
    process.stderr.write(`${row.join('  ')}\n`);
    rows.push(row);
  }
  if (rows.length === 0) return [];
  const columns = [
    'case',
    'readers',
    'clients',
    'KB a reader',
    'creates/s alone',
    'creates/s',
    'CPU µs alone',
    'CPU µs',
    'CPU µs more for each commit',
    'CPU ratio',
    'aim',
  ];
  const title = 'Creates while readers wait, each for another identifier; two server threads';
  return [{ name: NAME, title, columns, rows }];
}

interface Figures {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly perCommit: number;
}

/** With and without readers in turn, so that both have the same share of the machine. */
async function measure(
  name: string,
  readers: number,
  clients: number,
  server: RunningProgram,
  token: string,
  { rounds, seconds }: Options,
): Promise<Cell[]> {
  const targets = [createTarget(await bodiesOf(server, token), 'json', token)];
  const create = async (): Promise<Figures> => {
    const { pid } = server.process;
    const before = { cpu: cpuSeconds(pid), ...(await ordersMetrics(server)) };
    const load = { port: server.port, targets, connections: clients, status: 201 };
    const { requests, seconds: took } = await runLoad({ ...load, durationMs: seconds * 1000 });
    const { commits } = await ordersMetrics(server);
    const cpuMicroseconds = (cpuSeconds(pid) - before.cpu) * 1e6;
    return {
      perSecond: requests / took,
      cpuMicroseconds: cpuMicroseconds / requests,
      perCommit: cpuMicroseconds / (commits - before.commits),
    };
  };
  // Warms up both.
  await create();
  for (const socket of await openReaders(server, token, readers)) socket.destroy();
  await waiting(server, 0);
  const turns: { alone: Figures; beside: Figures; kilobytes: number }[] = [];
  for (let turn = 0; turn < rounds; turn++) {
    const alone = await create();
    const before = residentMb(server.process.pid);
    const sockets = await openReaders(server, token, readers);
    const kilobytes = ((residentMb(server.process.pid) - before) * 1024) / readers;
    const beside = await create();
    for (const socket of sockets) socket.destroy();
    await waiting(server, 0);
    turns.push({ alone, beside, kilobytes });
  }
  const median = (figure: (turn: (typeof turns)[number]) => number) =>
    spreadOf(turns.map(figure)).median;
  const ratio = median(({ alone, beside }) => beside.cpuMicroseconds / alone.cpuMicroseconds);
  return [
    name,
    readers,
    clients,
    // Later turns use the memory of earlier ones.
    round(Math.max(...turns.map(({ kilobytes }) => kilobytes))),
    Math.round(median(({ alone }) => alone.perSecond)),
    Math.round(median(({ beside }) => beside.perSecond)),
    round(median(({ alone }) => alone.cpuMicroseconds)),
    round(median(({ beside }) => beside.cpuMicroseconds)),
    round(median(({ alone, beside }) => beside.perCommit - alone.perCommit)),
    round(ratio),
    aimCell(name, 'CPU ratio', ratio),
  ];
}

/** None of them ever gets what it waits for. */
async function openReaders(
  server: RunningProgram,
  token: string,
  count: number,
): Promise<readonly Socket[]> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const answer = await fetch(`${server.origin}/OrderResponse/_history?_count=1`, { headers });
  const { link }: { link: { relation: string; url: string }[] } = JSON.parse(await answer.text());
  const follow = link.find(({ relation }) => relation === 'follow')?.url ?? '';
  const { search } = new URL(follow);
  const sockets = Array.from({ length: count }, (_, at) => {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    const path = `/OrderResponse/_history${search}&_wait=60&identifier=urn:waits|${at}`;
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return socket.resume();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await waiting(server, count);
  return sockets;
}

async function waiting({ operation }: RunningProgram, count: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${operation}/metrics`)).text();
    if (Number(/^gazetteer_waiting_requests (\S+)/m.exec(text)?.[1]) === count) return;
    await delay(20);
  }
}
