/** Asks a question about each row of a CSV table, and adds the answers as columns. */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { exactCsvLine } from '../export/csv-line.ts';
import { createPauses } from './pauses.ts';
import type { AnswerRow, Question } from './question.ts';

/** The table cannot be read. Its message says why, with the line, and what to do. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/**
 * The lines of the table with the columns of the answers. The first line has the names of columns; a
 * table of one column may lack it. Columns are separated by commas, semicolons or tabs. Needs memory
 * for a few rows. Throws a `TableError`.
 */
export async function* answeredLines<Answer extends object>(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { inputs, columns, cells }: Pick<Question<Answer>, 'inputs' | 'columns' | 'cells'>,
  ask: AnswerRow<Answer>,
): AsyncGenerator<string, void, undefined> {
  const pause = createPauses();
  let places: readonly number[] | undefined;
  for await (const row of rowsOf(source)) {
    if (places === undefined) {
      const isData = row.length === 1 && !isName(row[0], inputs[0].name);
      places = isData ? [0] : placesOf(row, inputs);
      yield exactCsvLine([...(isData ? [inputs[0].name] : row), ...columns]);
      if (!isData) continue;
    }
    const values = places.map((place, at) => [inputs[at]!.name, row[place]?.trim() ?? '']);
    yield exactCsvLine([...row, ...cells(ask(Object.fromEntries(values)))]);
    await pause();
  }
  if (places === undefined) {
    throw new TableError(
      `The table is empty. Its first line must name a column ${inputs[0].name}.`,
    );
  }
}

function isName(cell: string | undefined, name: string): boolean {
  return cell?.trim().toLowerCase() === name.toLowerCase();
}

/** The place of each input in the rows; -1 if the table lacks it. */
function placesOf(head: readonly string[], inputs: Question['inputs']): readonly number[] {
  return inputs.map(({ name, isRequired }) => {
    const place = head.findIndex((cell) => isName(cell, name));
    if (place >= 0 || isRequired !== true) return place;
    const known = head.map((cell) => `"${cell}"`).join(', ');
    throw new TableError(`The table has no column ${name}. Its columns are ${known}.`);
  });
}

async function* rowsOf(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string[], void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let parser: ReturnType<typeof parse> | undefined;
  try {
    const texts = textsOf(source, decoder);
    const { value: first, done } = await texts.next();
    if (done === true) return;
    parser = parse({
      bom: true,
      delimiter: delimiterOf(first),
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_LENGTH_MAX,
    });
    yield* Readable.from(joined(first, texts)).pipe(parser) as AsyncIterable<string[]>;
  } catch (error) {
    if (error instanceof CsvError)
      throw new TableError(`The table is not valid CSV: ${error.message}.`);
    if (error instanceof TypeError)
      throw new TableError('The table is not UTF-8. Save it as CSV UTF-8.');
    throw error;
  }
}

const ROW_LENGTH_MAX = 1024 * 1024;

async function* textsOf(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  decoder: TextDecoder,
): AsyncGenerator<string, void, undefined> {
  for await (const chunk of source) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* joined(
  first: string,
  others: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  yield first;
  yield* others;
}

/** The one of which the first line has most. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const [most = ','] = [',', ';', '\t'].toSorted(
    (a, b) => line.split(b).length - line.split(a).length,
  );
  return most;
}
