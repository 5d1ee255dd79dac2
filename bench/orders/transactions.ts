/** Creates in transactions, against as many single creates, from one client and from many. */
import { aimCell, type Cell, round, spreadOf, type Table } from '../figures.ts';
import { runLoad, type Target } from '../load.ts';
import { cpuSeconds } from '../machine.ts';
import type { Options } from '../options.ts';
import type { RunningProgram } from '../server.ts';
import { bodiesOf, createTarget, TRANSACTION_CREATES, transactionTarget } from './cases.ts';
import { CLIENTS, withOrders } from './run.ts';

const COLUMNS = [
  'case',
  'clients',
  'creates/s alone',
  'creates/s in transactions',
  'ratio',
  'CPU µs alone',
  'CPU µs in transactions',
  'aim',
];

export async function runTransactions(options: Options): Promise<Table[]> {
  const name = 'order-transactions';
  const rows: Cell[][] = [];
  for (const clients of [1, CLIENTS]) {
    const one = `${name}-${clients}`;
    if (!options.isWanted(name, one)) continue;
    const row = await withOrders({}, [], (server, token) =>
      measure(one, clients, server, token, options),
    );
    process.stderr.write(`${row.join('  ')}\n`);
    rows.push(row);
  }
  if (rows.length === 0) return [];
  const title = `Transactions of ${TRANSACTION_CREATES} creates in JSON, two server threads`;
  return [{ name, title, columns: COLUMNS, rows }];
}

/** Both kinds in turn, so that both have the same share of the machine. */
async function measure(
  name: string,
  clients: number,
  server: RunningProgram,
  token: string,
  { rounds, seconds }: Options,
): Promise<Cell[]> {
  const bodies = await bodiesOf(server, token);
  const single = { target: createTarget(bodies, 'json', token), status: 201, creates: 1 };
  const several = {
    target: transactionTarget(bodies, token),
    status: 200,
    creates: TRANSACTION_CREATES,
  };
  const turns: { readonly alone: Figures; readonly together: Figures }[] = [];
  for (let turn = 0; turn <= rounds; turn++) {
    const figures = {
      alone: await measureCreates(server, clients, seconds, single),
      together: await measureCreates(server, clients, seconds, several),
    };
    if (turn > 0) turns.push(figures); // the first one warms up
  }
  const median = (figure: (turn: (typeof turns)[number]) => number) =>
    spreadOf(turns.map(figure)).median;
  const ratio = median(({ alone, together }) => together.perSecond / alone.perSecond);
  return [
    name,
    clients,
    Math.round(median(({ alone }) => alone.perSecond)),
    Math.round(median(({ together }) => together.perSecond)),
    round(ratio),
    round(median(({ alone }) => alone.cpuMicroseconds)),
    round(median(({ together }) => together.cpuMicroseconds)),
    aimCell(name, 'ratio', ratio),
  ];
}

interface Figures {
  readonly perSecond: number;
  /** Of the server, for each create. */
  readonly cpuMicroseconds: number;
}

interface Creates {
  readonly target: Target;
  readonly status: number;
  /** In each request. */
  readonly creates: number;
}

async function measureCreates(
  { port, process: { pid } }: RunningProgram,
  clients: number,
  seconds: number,
  { target, status, creates }: Creates,
): Promise<Figures> {
  const before = cpuSeconds(pid);
  const load = { port, targets: [target], connections: clients, status };
  const done = await runLoad({ ...load, durationMs: seconds * 1000 });
  const made = done.requests * creates;
  return {
    perSecond: made / done.seconds,
    cpuMicroseconds: ((cpuSeconds(pid) - before) * 1e6) / made,
  };
}
