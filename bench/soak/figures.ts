/** The figures of a soak as tables, which `npm run bench:publish` writes into the page about it. */
import type { Cell, Table } from '../figures.ts';
import { round } from '../figures.ts';
import { describeMachine } from '../machine.ts';
import { keepFigures } from '../results.ts';
import type { Account } from './clients.ts';
import { changesIn } from './level.ts';
import { HEADINGS, type Minute } from './minutes.ts';

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
  const minutes = soak.minutes.map((minute) =>
    Object.keys(HEADINGS).map((name) => minute[name as keyof Minute]),
  );
  return [
    { name: 'soak', title, columns: ['server', 'what', 'figure'], rows: rowsOf(soak) },
    { name: 'soak-minutes', title, columns: Object.values(HEADINGS), rows: minutes },
  ];
}

function titleOf({ minutes, records }: Soak): string {
  const length = Math.max(0, ...minutes.map(({ minute }) => minute));
  const time = length < 60 ? `${length} minutes` : `${round(length / 60)} hours`;
  return `${time} of load, ${records.toLocaleString('en-GB')} organisations`;
}

function rowsOf({ minutes, accounts }: Soak): Cell[][] {
  const changes = changesIn(minutes).flatMap(({ server, what, first, last }) => [
    [server, `${what}, first third after ten minutes`, Math.round(first)],
    [server, `${what}, last third`, Math.round(last)],
  ]);
  const requests = [...Map.groupBy(minutes, ({ server }) => server)].map(([server, own]) => [
    server,
    'requests of clients',
    own.reduce((sum, one) => sum + one.requests, 0),
  ]);
  const account = accounts.flatMap((one) => [
    [one.server, 'acknowledged writes', one.acknowledged],
    [one.server, 'versions stored', one.stored],
    [one.server, 'notifications to good receivers', one.notifications],
    [one.server, 'lost or told wrongly', one.faults.length],
  ]);
  return [...requests, ...account, ...changes];
}
