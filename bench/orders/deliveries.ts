/** Notifications: how many a second one receiver gets, and what creates cost with ten subscriptions. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { aimCell, type Cell, round, spreadOf, type Table } from '../figures.ts';
import { runLoad } from '../load.ts';
import { cpuSeconds } from '../machine.ts';
import type { Options } from '../options.ts';
import type { RunningProgram } from '../server.ts';
import { bodiesOf, createTarget } from './cases.ts';
import { CLIENTS, withOrders } from './run.ts';

const NAME = 'order-notifications';
const SUBSCRIPTIONS = 10;

export async function runDeliveries(options: Options): Promise<Table[]> {
  if (!options.isWanted(NAME, NAME)) return [];
  const words = ['--subscriptions-allowed-hosts', '127.0.0.1'];
  const rows = await withOrders({}, words, (server, token) => measure(server, token, options));
  for (const row of rows) process.stderr.write(`${row.join('  ')}\n`);
  const columns = ['case', 'what', 'figure', 'aim'];
  return [{ name: NAME, title: 'Notifications, two server threads', columns, rows }];
}

async function measure(
  server: RunningProgram,
  token: string,
  { rounds, seconds }: Options,
): Promise<Cell[][]> {
  const received = new Set<unknown>();
  const receiver = createServer((request, response) => {
    received.add(request.headers['gazetteer-resource']);
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const endpointOf = (at: number) => `http://127.0.0.1:${port}/${at}`;
  const targets = [createTarget(await bodiesOf(server, token), 'json', token)];
  const load = { port: server.port, targets, connections: CLIENTS, status: 201 };
  const create = async () => {
    const { pid } = server.process;
    const cpu = cpuSeconds(pid);
    const { requests, seconds: took } = await runLoad({ ...load, durationMs: seconds * 1000 });
    return { cpu: ((cpuSeconds(pid) - cpu) * 1e6) / requests, rate: requests / took, requests };
  };
  await create();
  // The receiver was away while others wrote: it then gets everything as fast as it answers.
  const all = await subscribe(server, token, endpointOf(0), 'OrderResponse', 'off');
  await all('requested');
  await delay(ACTIVE_MS);
  await all('off');
  await delay(ACTIVE_MS);
  const { requests } = await create();
  received.clear();
  await all('requested');
  while (received.size === 0) await delay(1);
  const startMs = performance.now();
  while (received.size < requests) await delay(5);
  const perSecond = requests / ((performance.now() - startMs) / 1000);
  await all('off');
  const others = await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, (_, at) =>
      subscribe(server, token, endpointOf(at), `OrderResponse?identifier=urn:none|${at}`, 'off'),
    ),
  );
  const turns: { alone: number; beside: number }[] = [];
  for (let turn = 0; turn < rounds; turn++) {
    await delay(ACTIVE_MS);
    const alone = await create();
    for (const change of others) await change('requested');
    await delay(ACTIVE_MS);
    await idle(server);
    const beside = await create();
    for (const change of others) await change('off');
    turns.push({ alone: alone.cpu, beside: beside.cpu });
  }
  receiver.closeAllConnections();
  receiver.close();
  const { median: ratio } = spreadOf(turns.map(({ alone, beside }) => beside / alone));
  return rows(perSecond, ratio);
}

function rows(perSecond: number, ratio: number): Cell[][] {
  const caught = `${NAME}-rate`;
  const beside = `${NAME}-creates`;
  return [
    [
      caught,
      'a second, to one receiver that answers at once',
      Math.round(perSecond),
      aimCell(caught, 'figure', perSecond),
    ],
    [
      beside,
      'CPU of a create with ten subscriptions, that without is 1',
      round(ratio),
      aimCell(beside, 'figure', ratio),
    ],
  ];
}

/** Subscriptions that were off first read what they missed, which is no cost of a create. */
async function idle({ process: { pid } }: RunningProgram): Promise<void> {
  for (let used = 1; used > IDLE_SHARE; ) {
    const cpu = cpuSeconds(pid);
    await delay(IDLE_MS);
    used = ((cpuSeconds(pid) - cpu) * 1000) / IDLE_MS;
  }
}

const IDLE_MS = 500;
const IDLE_SHARE = 0.1;

/** The time in which the server notices a changed subscription. */
const ACTIVE_MS = 1500;

/** Creates a subscription; returns a function that sets its status. */
export async function subscribe(
  { origin }: RunningProgram,
  token: string,
  endpoint: string,
  criteria: string,
  status: string,
): Promise<(status: string) => Promise<void>> {
  const type = 'application/json';
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, accept: type };
  const channel = { type: 'rest-hook', endpoint, payload: type };
  const resource = { resourceType: 'Subscription', criteria, reason: 'A benchmark', channel };
  const send = async (method: string, path: string, body: object) => {
    const init = { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return answer.headers.get('location') ?? '';
  };
  const location = await send('POST', 'Subscription', { ...resource, status });
  const id = /Subscription\/([^/]+)/.exec(location)?.[1] ?? '';
  return async (changed) => {
    await send('PUT', `Subscription/${id}`, { ...resource, id, status: changed });
  };
}
