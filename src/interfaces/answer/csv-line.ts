/** Writes lines of CSV (RFC 4180). */

/** No spreadsheet interprets a cell as a formula. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * Without the line break. Each cell has exactly its value: it is in quotation marks only if it must
 * be.
 */
export function exactCsvLine(cells: readonly string[]): string {
  return cells.map((cell) => (SPECIAL.test(cell) ? quoted(cell) : cell)).join(',');
}

/** Every cell is in quotation marks, and has exactly its value: programs read these lines. */
export function quotedCsvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/**
 * Quotes a cell where the standard requires it. Spreadsheets evaluate text such as `=1+1` or
 * `@SUM(…)`, even in quotation marks. An apostrophe before it prevents that. A number is never a
 * formula.
 */
function csvCell(value: string | number): string {
  const text = String(value);
  const cell = typeof value === 'string' ? withoutFormula(text) : text;
  return cell === text && !SPECIAL.test(cell) ? cell : quoted(cell);
}

function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** Includes the full-width forms and leading white space, which some spreadsheets skip. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/;

/** Spreadsheets use the semicolon as separator in locales where the comma is the decimal sign. */
const SPECIAL = /[",;\r\n\t]|^\s|\s$/;
