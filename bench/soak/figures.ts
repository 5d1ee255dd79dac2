/** The figures of a soak as tables, which `npm run bench:publish` writes into the page about it. */
import type { Cell, Table } from '../figures.ts';
import { round, spreadOf } from '../figures.ts';
import { describeMachine } from '../machine.ts';
import { keepFigures } from '../results.ts';
import type { Account } from './clients.ts';
import { changesIn } from './level.ts';
import { HEADINGS, MINUTES_TABLE, type Minute } from './minutes.ts';

export interface Soak {
  readonly records: number;
  readonly minutes: readonly Minute[];
  /** Empty while it runs. */
  readonly accounts: readonly Account[];
}

/** What the last minutes say is kept each minute, so that a run that is ended early shows them. */
export function keepSoak(soak: Soak): void {
  const { records } = soak;
  const commands = [`npm run soak -- ${process.argv.slice(2).join(' ')}`];
  const machine = describeMachine();
  for (const table of tablesOf(soak)) keepFigures({ ...table, machine, records, commands });
}

function tablesOf(soak: Soak): Table[] {
  const title = titleOf(soak);
  const servers = [...new Set(soak.minutes.map(({ server }) => server))];
  const minutes = soak.minutes.map((minute) =>
    Object.keys(HEADINGS).map((name) => minute[name as keyof Minute]),
  );
  return [
    { name: 'soak', title, columns: ['what', ...servers], rows: rowsOf(soak, servers) },
    { name: MINUTES_TABLE, title, columns: Object.values(HEADINGS), rows: minutes },
  ];
}

function titleOf({ minutes, records }: Soak): string {
  const length = Math.max(0, ...minutes.map(({ minute }) => minute));
  const time = length < 60 ? `${length} minutes` : `${round(length / 60)} hours`;
  return `${time} of load, ${records.toLocaleString('en-GB')} organisations`;
}

/** A row for each figure, with a cell for each server; empty while it is not known. */
function rowsOf({ minutes, accounts }: Soak, servers: readonly string[]): Cell[][] {
  const row = (what: string, figure: (server: string) => number | undefined): Cell[] => [
    what,
    ...servers.map((server) => {
      const value = figure(server);
      return value === undefined ? '' : round(value);
    }),
  ];
  const minutesOf = (server: string) => minutes.filter((one) => one.server === server);
  const account = (server: string) => accounts.find((one) => one.server === server);
  const middle = (server: string, name: Exclude<keyof Minute, 'server'>) =>
    spreadOf(minutesOf(server).map((one) => one[name])).median;
  const changes = changesIn(minutes);
  const change = (server: string, what: string) =>
    changes.find((one) => one.server === server && one.what === what);
  return [
    row('requests of clients', (server) =>
      minutesOf(server).reduce((sum, { requests }) => sum + requests, 0),
    ),
    row('acknowledged writes', (server) => account(server)?.acknowledged),
    row('faults', (server) => account(server)?.faults.length),
    row('writes whose clients could not learn the outcome', (server) => account(server)?.unknown),
    row('notifications to good receivers', (server) => account(server)?.notifications),
    ...LEVELS.flatMap((what) => [
      row(`${what}, first third after the first minutes`, (server) => change(server, what)?.first),
      row(`${what}, last third`, (server) => change(server, what)?.last),
    ]),
    row('read, median of the minutes, ms', (server) => middle(server, 'readMedianMs')),
    row('create, median of the minutes, ms', (server) => middle(server, 'createMedianMs')),
    row('disk at the end, MB', (server) => minutesOf(server).at(-1)?.diskMb),
  ];
}

const LEVELS = [HEADINGS.memoryMb, HEADINGS.descriptors, HEADINGS.threads];
