/**
 * Writes the latest figures into the pages about performance, scaling, peers and the soak, and
 * draws the charts. Each table is between markers. A marker can name another number of records.
 * Tables that were never measured stay unchanged. A page
 * chooses what it shows: the table that is there keeps its columns, and its rows by the first cell.
 * Markers without a table get all columns and rows.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Chart } from '../src/web/charts/chart.ts';
import { drawChart } from '../src/web/charts/svg-chart.ts';
import { ROOT } from './data.ts';
import { type Cell, markdownOf, type Table } from './figures.ts';
import { hasFigures, type Kept, keptFigures } from './results.ts';
import { MINUTES_TABLE } from './soak/minutes.ts';
import { descriptorsChart, latencyChart, memoryChart } from './soak/pictures.ts';
import { answerHelp } from './usage.ts';

answerHelp(`Usage: npm run bench:publish -- [TABLE …] [options]
  TABLE              of the results, such as http; all by default
  --records N        organisations in the release that was measured (350000)
`);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { records: { type: 'string', default: '350000' } },
});
/** All tables, unless some are named. */
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);
const kept = (name: string) => keptFigures(Number(values.records), name);

const PAGES = ['performance', 'scaling', 'peers', 'soak'];

for (const name of PAGES) {
  const path = join(ROOT, `docs/explanation/${name}.md`);
  const page = readFileSync(path, 'utf8').replace(
    /(<!-- figures: ([\w-]+)(?: at (\d+))? -->\n)[\s\S]*?(<!-- end -->)/g,
    (section, start: string, table: string, records: string | undefined, end: string) => {
      const size = Number(records ?? values.records);
      return isWanted(table) && hasFigures(size, table)
        ? `${start}\n${sectionOf(keptFigures(size, table), section)}\n${end}`
        : section;
    },
  );
  writeFileSync(path, page);
}

const minutes = () => kept(MINUTES_TABLE);
const charts = [
  ['engine', 'performance-growth', searchTimes],
  ['http', 'performance-yardsticks', yardsticks],
  ['growth', 'scaling-threads', threads],
  [MINUTES_TABLE, 'soak-memory', () => memoryChart(minutes())],
  [MINUTES_TABLE, 'soak-descriptors', () => descriptorsChart(minutes())],
  [MINUTES_TABLE, 'soak-latency', () => latencyChart(minutes())],
] as const;
for (const [table, name, chart] of charts) {
  if (!isWanted(table) || !hasFigures(Number(values.records), table)) continue;
  const picture = await drawChart(chart(), 'wide');
  writeFileSync(join(ROOT, 'docs/images', `${name}.svg`), `${picture}\n`);
}

function sectionOf(table: Kept, section: string): string {
  const [machine] = table.machine.split(', ');
  return `${table.title}, on ${machine}.\n\n${markdownOf(asShown(table, section))}\n`;
}

/** Only the columns and rows that the page has now. */
function asShown(table: Table, section: string): Table {
  const [head, , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf);
  if (head === undefined) return table;
  const names = new Set(rows.map(([name]) => name));
  const columns = head.filter((name) => table.columns.includes(name));
  const places = columns.map((name) => table.columns.indexOf(name));
  return {
    ...table,
    columns,
    rows: table.rows
      .filter(([name = '']) => names.has(String(name)))
      .map((row) => places.map((place) => row[place] ?? '')),
  };
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** The slowest hundredth of searches at each size. */
function searchTimes(): Chart {
  const table = kept('engine');
  const columns = table.columns.filter((name) => name.startsWith('p99 of '));
  const shown = ['name', 'name:contains', 'city', 'role', '_lastUpdated', 'any 3 criteria, all'];
  return {
    kind: 'lines',
    title: 'Time of a search in the index, 99th percentile, µs, by records',
    categories: columns.map((name) => Number(name.slice('p99 of '.length)).toLocaleString('en-GB')),
    series: shown.map((name) => ({
      name,
      values: columns.map((column) => numberAt(table, rowNamed(table, name), column)),
    })),
  };
}

/** CPU time is what compares on machines that do other things too. */
function yardsticks(): Chart {
  const table = kept('http');
  const shown = [
    'read-json',
    'read-xml',
    'page-json-again',
    'page-json',
    'page-xml',
    'count-json-again',
    'count-json',
  ];
  const rows = shown.map((name) => rowNamed(table, name));
  const series = [
    ['Gazetteer', 'CPU µs'],
    ['node:http, the same bytes', 'node:http CPU µs'],
    ['nginx, the same bytes', 'nginx CPU µs'],
  ] as const;
  return {
    kind: 'bars',
    title: 'CPU time of the server for each request, µs',
    categories: rows.map((row) => String(row[1]).replaceAll('`', '')),
    series: series.map(([name, column]) => ({
      name,
      values: rows.map((row) => numberAt(table, row, column)),
    })),
  };
}

/** Compares the rate with the rate of one thread times the number of threads. */
function threads(): Chart {
  const table = kept('growth');
  const rows = table.rows.filter(([name]) => String(name).startsWith('threads-'));
  const counts = rows.map(([name]) => Number(String(name).slice('threads-'.length)));
  const rates = rows.map((row) => numberAt(table, row, 'req/s'));
  return {
    kind: 'bars',
    title: 'Reads a second, by threads',
    categories: counts.map(String),
    series: [
      { name: 'measured', values: rates },
      {
        name: 'one thread, times their number',
        values: counts.map((one) => one * (rates[0] ?? 0)),
      },
    ],
  };
}

function rowNamed(table: Table, name: string): readonly Cell[] {
  const row = table.rows.find(([first]) => first === name);
  if (row === undefined) throw new Error(`${table.name} has no figures of ${name}`);
  return row;
}

function numberAt(table: Table, row: readonly Cell[], column: string): number | undefined {
  const cell = row[table.columns.indexOf(column)];
  return typeof cell === 'number' && !Number.isNaN(cell) ? cell : undefined;
}
