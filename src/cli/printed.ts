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

/** Whether the output is for a person: on a terminal, if no option chooses a form or a file. */
export function isForPeople({ options, streams }: Printed): boolean {
  const { json, format, output } = options;
  return [json, format, output].every((one) => one === undefined) && streams.output.isTTY === true;
}

/** Cells in columns. `numeric` are the columns that are aligned to the right. */
export function tableText(
  rows: readonly (readonly string[])[],
  numeric?: ReadonlySet<number>,
): string {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `${rowText(row, widths, numeric)}\n`).join('');
}

/** A control character could change what a terminal shows. */
export function rowText(
  cells: readonly string[],
  widths: readonly number[],
  numeric: ReadonlySet<number> = new Set(),
): string {
  const padded = cells.map((cell, column) => {
    const text = cell.replace(/\p{Cc}/gu, '\u{FFFD}');
    const width = widths[column] ?? 0;
    return numeric.has(column) ? text.padStart(width) : text.padEnd(width);
  });
  return padded.join('  ').trimEnd();
}
