/** Tables as CSV (RFC 4180) that a spreadsheet may open without harm. */
import type { Cell } from './statistics.ts';

export function csvOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [columns, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** A text that begins as a formula gets an apostrophe before it. */
function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const FORMULA = /^[=+\-@\t\r]/;
