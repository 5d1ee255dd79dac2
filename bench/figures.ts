/** Figures: the middle and the spread of several rounds, and tables of them with their aims. */
import { AIMS, type Aim } from './aims.ts';

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export type Cell = string | number;

/** The results of a part of the benchmark: printed, written as JSON, shown in the documentation. */
export interface Table {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: sorted[0] ?? Number.NaN,
    high: sorted.at(-1) ?? Number.NaN,
  };
}

/** The value that so large a share of sorted numbers is below. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Three digits that count. */
export function round(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(value >= 1000 ? 4 : 3));
}

/** What the design asks of a figure and whether it is reached; nothing where nothing is asked. */
export function aimCell(name: string, figure: string, value: number): string {
  const aim = AIMS.find((one) => one.name === name && one.figure === figure);
  if (aim === undefined) return '';
  return `${aimText(aim)}${isReached(aim, value) ? '' : MISSED}`;
}

/** Whether a cell says that its aim is missed. */
export function isAimMissed(cell: string): boolean {
  return cell.endsWith(MISSED);
}

const MISSED = ' (missed)';

export function aimText({ least, most }: Aim): string {
  return least === undefined ? `≤ ${most}` : `≥ ${least}`;
}

export function isReached({ least = -Infinity, most = Infinity }: Aim, value: number): boolean {
  return value >= least && value <= most;
}

/** A table in Markdown, which also reads well on a terminal. */
export function markdownOf({ columns, rows }: Table): string {
  const texts = [columns, ...rows].map((cells) => cells.map(textOf));
  const widths = columns.map((_, i) => Math.max(...texts.map((cells) => cells[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...others] = texts;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(head), rule, ...others.map(line)].join('\n');
}

function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell.replaceAll('|', '\\|');
  return Number.isNaN(cell) ? '' : cell.toLocaleString('en-GB', { maximumFractionDigits: 3 });
}
