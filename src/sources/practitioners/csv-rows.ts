/** The rows of a CSV file without headings, read in a bounded memory. */
import { StringDecoder } from 'node:string_decoder';

/** A row cannot be read. The message says why. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

/**
 * Calls `onRow` with the cells of each row that is not empty. Throws a RowError, also if the last line
 * has no line end: the published files have one.
 */
export class CsvRows {
  readonly #onRow: (cells: readonly string[]) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  /** The number of the line that was read last, from 1. */
  line = 0;

  constructor(onRow: (cells: readonly string[]) => void) {
    this.#onRow = onRow;
  }

  write(bytes: Uint8Array): void {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const lines = (this.#rest + this.#decoder.write(view)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
    if (this.#rest.length > LINE_LENGTH_MAX) this.#read(this.#rest);
  }

  end(): void {
    const last = this.#rest + this.#decoder.end();
    if (last.trim() === '') return;
    this.line += 1;
    throw new RowError('the file ends within a line, so it was cut off');
  }

  #read(text: string): void {
    this.line += 1;
    if (text.length > LINE_LENGTH_MAX) {
      throw new RowError(`the line has more than ${LINE_LENGTH_MAX} characters`);
    }
    const line = text.endsWith('\r') ? text.slice(0, -1) : text;
    const whole = this.line === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    if (whole !== '') this.#onRow(cellsOf(whole));
  }
}

/** Some ten times the longest line of the national files. */
const LINE_LENGTH_MAX = 4_000;
const BYTE_ORDER_MARK = '\ufeff';

/** The cells of a line. Throws a RowError if its quotation marks are not in pairs. */
export function cellsOf(line: string): readonly string[] {
  // All cells of the national files are quoted, and none has a quotation mark in it.
  if (line.startsWith('"') && line.endsWith('"') && line.length > 1) {
    const cells = line.slice(1, -1).split('","');
    if (!cells.some((cell) => cell.includes('"'))) return cells;
  }
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const found = line[at] === '"' ? quotedCell(line, at) : plainCell(line, at);
    cells.push(found.text);
    at = found.end + 1;
  }
  return cells;
}

interface Cell {
  readonly text: string;
  /** Where the comma after it is, or the end of the line. */
  readonly end: number;
}

function plainCell(line: string, start: number): Cell {
  const comma = line.indexOf(',', start);
  const end = comma < 0 ? line.length : comma;
  return { text: line.slice(start, end), end };
}

function quotedCell(line: string, start: number): Cell {
  let text = '';
  for (let at = start + 1; ; ) {
    const quote = line.indexOf('"', at);
    if (quote < 0) throw new RowError('a quotation mark is not closed on its line');
    text += line.slice(at, quote);
    const next = line[quote + 1];
    if (next === undefined || next === ',') return { text, end: quote + 1 };
    if (next !== '"') throw new RowError('a quotation mark is in the middle of a cell');
    text += '"';
    at = quote + 2;
  }
}
