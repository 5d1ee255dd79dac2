/** The bodies and lists of values of the dearest requests. */
import { REPORTS } from '../../../src/interfaces/reports/csv/report-table.ts';

/** All reports that are made of the directory. */
export const REPORT_LIST = REPORTS.filter(({ content }) => content !== undefined)
  .map(({ name }) => name)
  .join(',');

const WORDS = 'medical surgery royal infirmry leeds practice health centre saint hospital'.split(
  ' ',
);

/** Names of common words, with faults, so that each has many candidates. */
export const NAMES: readonly string[] = Array.from({ length: 1000 }, (_, at) => {
  const [first, second, third] = [WORDS[at % 10], WORDS[(at * 7) % 10], WORDS[(at * 3 + 1) % 10]];
  return `${first} ${second} ${third} ${at}`;
});

const TABLE_COLUMNS = 200;

/** A table as wide as can be: each row comes back with what is found. */
export function tableOf(column: string, values: readonly string[]): string {
  const others = Array.from({ length: TABLE_COLUMNS - 1 }, (_, at) => `c${at}`);
  const row = ','.repeat(Math.min(others.length, Math.floor(BYTES_MAX / values.length) - 40));
  const shown = others.slice(0, row.length);
  return [[column, ...shown].join(','), ...values.map((value) => `${value}${row}`)].join('\r\n');
}

/** Less than the most bytes of a form. */
const BYTES_MAX = 60_000;

/** The events that need the most work, as an assistant asks for them. */
export const MCP_BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'events', arguments: { since: '0001-01-01', kind: 'merged', limit: 100 } },
});
