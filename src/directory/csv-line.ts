/** Lines of CSV (RFC 4180) that no spreadsheet takes for formulas. */

export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * Quoted where the standard wants it. Spreadsheets run a text such as `=1+1` or `@SUM(…)`, also in
 * quotation marks. An apostrophe in front makes it text. A number is never a formula.
 */
function csvCell(value: string | number): string {
  const text = String(value);
  const cell = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return cell === text && !SPECIAL.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`;
}

/** With the full-width forms, and after white space, which some spreadsheets skip. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/;

/** The semicolon separates cells where a comma is the decimal sign. */
const SPECIAL = /[",;\r\n\t]|^\s|\s$/;
