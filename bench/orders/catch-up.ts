/**
 * A receiver that is away while a day of changes is stored: when it comes back, how long the server
 * takes to deliver them all, in their order, and how much memory it needs.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Cell, round, spreadOf, type Table } from '../figures.ts';
import { cpuSeconds, residentMb } from '../machine.ts';
import type { Options } from '../options.ts';
import type { RunningProgram } from '../server.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { bodiesOf, transactionOf } from './cases.ts';
import { subscribe } from './deliveries.ts';
import { withOrders } from './run.ts';

const NAME = 'order-catch-up';
const SAMPLE_EVERY_MS = 200;
/** The default of `orders.transactionEntriesMax`. */
const ENTRIES = 200;
const SYSTEM = 'https://bench.example/changes';

export async function runCatchUp(options: Options): Promise<Table[]> {
  if (!options.isWanted(NAME, NAME)) return [];
  const words = [
    '--subscriptions-allowed-hosts',
    '127.0.0.1',
    '--subscriptions-give-up-minutes',
    '1',
    '--limits-requests-per-second',
    '0',
  ];
  const { changes } = options;
  const rows = await withOrders({}, words, (server, token) => measure(server, token, changes));
  for (const row of rows) process.stderr.write(`${row.join('  ')}\n`);
  const count = changes.toLocaleString('en-GB');
  const title = `One receiver that was away for ${count} changes, two server threads`;
  return [valueTable(NAME, title, rows)];
}

async function measure(
  server: RunningProgram,
  token: string,
  changes: number,
): Promise<readonly Cell[][]> {
  const resource = JSON.parse((await bodiesOf(server, token)).json);
  const receiver = await startReceiver();
  const other = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  const set = await subscribe(server, token, receiver.endpoint, 'OrderResponse', 'requested');
  const criteria = `OrderResponse?identifier=${SYSTEM}|other`;
  await subscribe(server, token, await endpointOf(other), criteria, 'requested');
  await until(async () => (await metric(server, 'gazetteer_subscriptions')) === 2);
  const loadSeconds = await writeChanges(server, token, resource, changes);
  await until(async () => (await metric(server, 'gazetteer_subscriptions')) === 1);
  const pid = server.process.pid;
  const before = residentMb(pid);
  const cpu = cpuSeconds(pid);
  receiver.comeBack();
  const startMs = performance.now();
  await set('requested');
  let [peak, oldest] = [before, 0];
  const delaysMs: number[] = [];
  while (receiver.state.delivered < changes) {
    await delay(SAMPLE_EVERY_MS);
    peak = Math.max(peak, residentMb(pid));
    oldest = Math.max(oldest, await metric(server, 'gazetteer_notification_age_seconds'));
    const sentMs = performance.now();
    const arrived = once(other, 'request');
    await create(server, token, [
      { ...resource, identifier: [{ system: SYSTEM, value: 'other' }] },
    ]);
    await arrived;
    delaysMs.push(performance.now() - sentMs);
  }
  const seconds = (receiver.state.lastMs - startMs) / 1000;
  const cpuMicroseconds = ((cpuSeconds(pid) - cpu) * 1e6) / changes;
  await until(async () => (await metric(server, 'gazetteer_notification_age_seconds')) === 0);
  for (const each of [receiver.server, other]) {
    each.closeAllConnections();
    each.close();
  }
  const { refused, repeated } = receiver.state;
  const { median, high } = spreadOf(delaysMs);
  const row = (name: string, ...rest: [what: string, value: number, unit: string]) =>
    valueRow(`${NAME}-${name}`, ...rest);
  return [
    row('stored', 'time in which the changes were stored', round(loadSeconds), 's'),
    row('refused', 'notifications that the receiver refused', refused, ''),
    row('lag', 'age of the oldest notification, in the metrics', round(oldest), 's'),
    row('seconds', 'time to deliver all', round(seconds), 's'),
    row('rate', 'notifications', Math.round(changes / seconds), 'a second'),
    row('cpu', 'CPU time of the server for each', round(cpuMicroseconds), 'µs'),
    row('repeated', 'notifications that came again', repeated, ''),
    row('before', 'memory of the server before', round(before), 'MB'),
    row('peak', 'memory of the server at most', round(peak), 'MB'),
    row('other', 'from a create to another receiver meanwhile, median', round(median), 'ms'),
    row('other-max', 'the same, at most', round(high), 'ms'),
  ];
}

/** Refuses everything until it comes back. Then each change must be the next one, or a repeat. */
async function startReceiver() {
  const state = { refused: 0, delivered: 0, repeated: 0, lastMs: 0 };
  let isAway = true;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    if (isAway) {
      state.refused += 1;
      response.writeHead(503).end();
      return;
    }
    const number = Number(/"value":"change-(\d+)"/.exec(body)?.[1]);
    if (number > state.delivered) {
      throw new Error(`change ${number} came after ${state.delivered} changes`);
    }
    if (number < state.delivered) state.repeated += 1;
    if (number === state.delivered) {
      state.delivered += 1;
      state.lastMs = performance.now();
    }
    response.end();
  });
  const comeBack = () => {
    isAway = false;
  };
  return { state, server, endpoint: await endpointOf(server), comeBack };
}

async function endpointOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
}

/** One client, so that the order of the changes is known. Returns the seconds. */
async function writeChanges(
  server: RunningProgram,
  token: string,
  resource: object,
  changes: number,
): Promise<number> {
  const startMs = performance.now();
  for (let first = 0; first < changes; first += ENTRIES) {
    const length = Math.min(ENTRIES, changes - first);
    const numbered = Array.from({ length }, (_, at) => ({
      ...resource,
      identifier: [{ system: SYSTEM, value: `change-${first + at}` }],
    }));
    await create(server, token, numbered);
  }
  return (performance.now() - startMs) / 1000;
}

async function create(
  { origin }: RunningProgram,
  token: string,
  resources: readonly object[],
): Promise<void> {
  const { path, ...request } = transactionOf(resources, token);
  const answer = await fetch(origin + path, request as RequestInit);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
}

async function metric({ operation }: RunningProgram, name: string): Promise<number> {
  const text = await (await fetch(`${operation}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(SAMPLE_EVERY_MS);
}
