/**
 * Puts the figures that were measured last into `docs/explanation/performance.md`, each table between its
 * markers, and draws the charts beside it: `npm run bench:publish -- [TABLE …] [--records 350000]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Chart } from '../src/web/charts/chart.ts';
import { drawChart } from '../src/web/charts/svg-chart.ts';
import { ROOT } from './data.ts';
import { type Cell, markdownOf, type Table } from './figures.ts';
import { type Kept, keptFigures } from './results.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { records: { type: 'string', default: '350000' } },
});
/** All tables, unless some are named. */
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);
const kept = (name: string) => keptFigures(Number(values.records), name);

const path = join(ROOT, 'docs/explanation/performance.md');
const page = readFileSync(path, 'utf8').replace(
  /(<!-- figures: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
  (section, start: string, name: string, end: string) =>
    isWanted(name) ? `${start}\n${sectionOf(kept(name))}\n${end}` : section,
);
writeFileSync(path, page);

const charts = { engine: ['growth', growth], http: ['yardsticks', yardsticks] } as const;
for (const [table, [name, chart]] of Object.entries(charts)) {
  if (!isWanted(table)) continue;
  const picture = await drawChart(chart(), 'wide');
  writeFileSync(join(ROOT, 'docs/images', `performance-${name}.svg`), `${picture}\n`);
}

function sectionOf(table: Kept): string {
  const { machine, commands, title } = table;
  const shown = commands.map((command) => `\`${command}\``).join(', then ');
  return `${shown} on ${machine}. ${title}.\n\n${markdownOf(table)}\n`;
}

/** The slowest hundredth of searches at each size. */
function growth(): Chart {
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
    ...['read-json', 'read-xml', 'page-json-again', 'page-json', 'page-xml'],
    ...['count-json-again', 'count-json'],
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

function rowNamed(table: Table, name: string): readonly Cell[] {
  const row = table.rows.find(([first]) => first === name);
  if (row === undefined) throw new Error(`${table.name} has no figures of ${name}`);
  return row;
}

function numberAt(table: Table, row: readonly Cell[], column: string): number | undefined {
  const cell = row[table.columns.indexOf(column)];
  return typeof cell === 'number' && !Number.isNaN(cell) ? cell : undefined;
}
