/** The pictures of a soak: what each server used, minute by minute. */
import type { Chart } from '../../src/web/charts/chart.ts';
import type { Table } from '../figures.ts';
import { HEADINGS } from './minutes.ts';

export function memoryChart(table: Table): Chart {
  const columns = [HEADINGS.memoryMb, HEADINGS.heapMb];
  return levelsOf(table, 'Memory of each server and heap of its threads, MB, by minute', columns);
}

export function descriptorsChart(table: Table): Chart {
  const columns = [HEADINGS.descriptors, HEADINGS.threads];
  return levelsOf(table, 'File descriptors and threads of each server, by minute', columns);
}

export function latencyChart(table: Table): Chart {
  const columns = [HEADINGS.readMedianMs, HEADINGS.createMedianMs];
  return levelsOf(table, 'Median time of a read and of a create, ms, by minute', columns);
}

/** A line for each column and each server. */
function levelsOf(table: Table, title: string, columns: readonly string[]): Chart {
  const cellOf = (row: Table['rows'][number], column: string) =>
    row[table.columns.indexOf(column)] ?? '';
  const servers = Map.groupBy(table.rows, (row) => String(cellOf(row, HEADINGS.server)));
  const [own = []] = servers.values();
  return {
    kind: 'levels',
    title,
    categories: own.map((row) => String(cellOf(row, HEADINGS.minute))),
    series: columns.flatMap((column) =>
      [...servers].map(([server, rows]) => ({
        name: `${server}: ${column.replace(/ (MB|ms)$/, '')}`,
        values: rows.map((row) => numberOf(cellOf(row, column))),
      })),
    ),
  };
}

/** What was not measured is kept as an empty cell. */
function numberOf(cell: string | number): number | undefined {
  return typeof cell === 'number' ? cell : undefined;
}
