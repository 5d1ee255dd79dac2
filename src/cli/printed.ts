/** What commands print: text and tables for people, JSON for programs. */
import type { CommandContext } from './command.ts';

export const JSON_OPTION = { syntax: '--json', help: 'Print JSON' } as const;

export const LINES_OPTION = {
  syntax: '--json',
  help: 'Print JSON on a terminal too, instead of a table',
} as const;

type Printed = Pick<CommandContext, 'options' | 'streams'>;

/** With `--json`, prints one JSON document. */
export function printResult({ options, streams }: Printed, value: object, text: string): void {
  const isJson = options.json === true;
  streams.output.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : text);
}

/** Whether the output is for a person: without `--json`, and on a terminal. */
export function isForPeople({ options, streams }: Printed): boolean {
  return options.json !== true && options.output === undefined && streams.output.isTTY === true;
}

/** Cells in columns. `numeric` are the columns that are aligned to the right. */
export function tableText(
  rows: readonly (readonly string[])[],
  numeric: ReadonlySet<number> = new Set(),
): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const align = (cell: string, column: number): string => {
    const width = widths?.[column] ?? 0;
    return numeric.has(column) ? cell.padStart(width) : cell.padEnd(width);
  };
  return rows.map((row) => `${row.map(align).join('  ').trimEnd()}\n`).join('');
}
