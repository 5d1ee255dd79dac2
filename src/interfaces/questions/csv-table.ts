/** Asks a question about each row of a CSV table, and adds the answers as columns. */
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { createPauses } from '../../threads/pauses.ts';
import { exactCsvLine } from '../answer/csv-line.ts';
import type { Pieces } from '../answer/kept-answers.ts';
import type { AnswerRow, Question, QuestionRow } from './question.ts';
import { placesOf, TableError } from './table-headings.ts';

/** A row of a table, which may lack its last cells. */
export interface TableRow {
  readonly cells: readonly string[];
  /** What the row asks. Absent from the first row, which names the columns. */
  readonly asked?: QuestionRow;
}

/** How large a table may be. */
export interface TableLimits {
  /** Without the names of columns. */
  readonly rows: number;
  readonly columns: number;
}

const NO_LIMITS: TableLimits = { rows: Infinity, columns: Infinity };

export interface TableOptions {
  readonly limits?: TableLimits;
  /** The heading of the column with the first input, if the table has it under another name. */
  readonly column?: string | undefined;
  /** How people name this column: `?column=HEADING`. */
  readonly remedy: string;
}

/**
 * The rows of the table. Columns are separated by commas, semicolons or tabs. Needs memory for a few
 * rows. Other requests are answered meanwhile. Throws a `TableError`.
 */
export async function* readTable(
  source: Pieces,
  question: Pick<Question, 'name' | 'inputs' | 'columns'>,
  { limits = NO_LIMITS, column, remedy }: TableOptions,
): AsyncGenerator<TableRow, void, undefined> {
  const { inputs } = question;
  let head: readonly string[] | undefined;
  let places: readonly number[] = [];
  let number = 0;
  for await (const cells of rowsOf(source)) {
    number += 1;
    if (head === undefined) {
      head = cells;
      refuseMore(head.length, limits.columns, 'columns', 'Remove those that are not needed.');
      places = placesOf(head, inputs, { column, remedy });
      addedColumns(head, question);
      yield { cells };
      continue;
    }
    refuseMore(number - 1, limits.rows, 'rows', 'Divide it.');
    if (cells.length > head.length) {
      const counts = `${cells.length} cells, but the table has ${head.length} columns`;
      throw new TableError(`Row ${number} has ${counts}. Remove the others.`);
    }
    const values = places.map((place, at) => [inputs[at]!.name, cells[place]?.trim() ?? '']);
    yield { cells, asked: Object.fromEntries(values) };
  }
  if (head === undefined) {
    throw new TableError(
      `The table is empty. Its first line must name a column ${inputs[0].name}.`,
    );
  }
}

/** The lines of the table with the columns of the answers. */
export async function* answeredLines<Answer extends object>(
  rows: Iterable<TableRow> | AsyncIterable<TableRow>,
  question: Pick<Question<Answer>, 'name' | 'columns' | 'cells'>,
  ask: AnswerRow<Answer>,
): AsyncGenerator<string, void, undefined> {
  let width = 0;
  for await (const { cells, asked } of rows) {
    width ||= cells.length;
    // The answers of a short row would be in the wrong columns.
    const missing = Array.from({ length: width - cells.length }, () => '');
    const added = asked === undefined ? addedColumns(cells, question) : question.cells(ask(asked));
    yield exactCsvLine([...cells, ...missing, ...added]);
  }
}

function refuseMore(count: number, max: number, what: string, remedy: string): void {
  if (count <= max) return;
  throw new TableError(`The table has more than ${max} ${what}. ${remedy}`);
}

/**
 * The columns of the answers. One that the table has already gets the name of the question before
 * its own: `matchCode`.
 */
function addedColumns(
  head: readonly string[],
  { name: question, columns }: Pick<Question, 'name' | 'columns'>,
): readonly string[] {
  const isTaken = (column: string) =>
    head.some((cell) => cell.trim().toLowerCase() === column.toLowerCase());
  return columns.map((column) => {
    if (!isTaken(column)) return column;
    const longer = `${question}${column.charAt(0).toUpperCase()}${column.slice(1)}`;
    if (!isTaken(longer)) return longer;
    throw new TableError(
      `The table has the columns ${column} and ${longer} already. Rename or remove one.`,
    );
  });
}

async function* rowsOf(source: Pieces): AsyncGenerator<string[], void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const texts = textsOf(source, decoder);
    const { value: start, done } = await texts.next();
    if (done === true) return;
    const [, named, first] = SEPARATOR_LINE.exec(start) ?? [undefined, undefined, start];
    const parser = parse({
      delimiter: named ?? delimiterOf(first ?? ''),
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_LENGTH_MAX,
    });
    const whole = async function* () {
      yield first ?? '';
      yield* texts;
    };
    // An error on either side ends the loop below with that error.
    pipeline(Readable.from(whole()), parser, () => {});
    for await (const row of parser as AsyncIterable<string[]>) yield row;
  } catch (error) {
    if (error instanceof CsvError) throw new TableError(problemOf(error));
    if (error instanceof TypeError)
      throw new TableError('The table is not UTF-8. Save it as CSV UTF-8.');
    throw error;
  }
}

const ROW_LENGTH_MAX = 1024 * 1024;

function problemOf({ code, lines }: CsvError): string {
  return `The table is not valid CSV near line ${lines}: ${PROBLEMS[code] ?? PROBLEMS.CSV_UNKNOWN_ERROR}`;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE:
    'text follows the quotation mark that ends a cell. Write a quotation mark in a cell twice.',
  INVALID_OPENING_QUOTE:
    'a quotation mark is in the middle of a cell. Put the cell in quotation marks, and write this one twice.',
  CSV_QUOTE_NOT_CLOSED:
    'a cell begins with a quotation mark, and none ends it. Write a quotation mark in a cell twice.',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${ROW_LENGTH_MAX} bytes. Send shorter rows, or end a cell that begins with a quotation mark.`,
  CSV_UNKNOWN_ERROR: 'it cannot be divided into cells. Save it as CSV UTF-8.',
};

async function* textsOf(
  source: Pieces,
  decoder: TextDecoder,
): AsyncGenerator<string, void, undefined> {
  const pause = createPauses();
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += PART_BYTES) {
      const part = chunk.subarray(start, start + PART_BYTES);
      yield decoder.decode(part, { stream: true });
      await pause();
    }
  }
  yield decoder.decode();
}

/** Reading the rows of so many bytes takes about a millisecond. The body of a request comes whole. */
const PART_BYTES = 8 * 1024;

/** Spreadsheets write this line to name the separator. */
const SEPARATOR_LINE = /^sep=(.)\r?\n([\s\S]*)$/;

/** The one of which the first line has most. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const [most = ','] = [',', ';', '\t'].toSorted(
    (a, b) => line.split(b).length - line.split(a).length,
  );
  return most;
}
