/** Reads the form of a list: a pasted column or table, or a file, the day and the choices. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Edition } from '../../directory/edition/edition.ts';
import { partsOfPostcode } from '../../directory/places/postcodes.ts';
import { headerOf } from '../../fhir/http/headers.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import { exactCsvLine } from '../../interfaces/answer/csv-line.ts';
import type { LongAnswers } from '../../interfaces/answer/long-answers.ts';
import { refuse } from '../../interfaces/json/json-parameters.ts';
import { readValue } from '../../interfaces/json/read-parameters.ts';
import { readTable, type TableRow } from '../../interfaces/questions/csv-table.ts';
import { POSTCODES } from '../../interfaces/questions/postcode-question.ts';
import type { Question } from '../../interfaces/questions/question.ts';
import { DAY_PARAMETER } from '../../interfaces/questions/question-parameters.ts';
import { TableError } from '../../interfaces/questions/table-headings.ts';
import { createPauses } from '../../threads/pauses.ts';
import { type ListCheck, NAME_INPUTS, rowCheckOf } from './list-checks.ts';

const LIST_ROWS_MAX = 10_000;
const COLUMNS_MAX = 200;

/** What a visitor sent. */
export interface SentList {
  readonly text: string;
  /** The heading of the column to use; empty: one of the usual headings. */
  readonly column: string;
  readonly on: string | undefined;
  /** By the number of the row, from 1. */
  readonly choices: ReadonlyMap<number, string>;
}

/** A list that can be checked. */
export interface CheckedList extends SentList {
  /** Whether the list has postcodes alone. */
  readonly isPostcodes: boolean;
  readonly check: ListCheck;
  /** The first one has the headings. */
  readonly table: readonly TableRow[];
}

/** Rejects with a FhirError if the form is too large or cannot be read. */
export async function readListForm(
  request: FhirRequest,
  longAnswers: LongAnswers,
): Promise<SentList> {
  const form = await formOf(request, longAnswers);
  const textOf = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const file = form.get('file');
  const hasFile = file instanceof File && file.size > 0;
  const on = textOf('on').trim();
  const choices = new Map<number, string>();
  for (const [name, value] of form) {
    const [, number] = /^row(\d{1,5})$/.exec(name) ?? [];
    if (number !== undefined && typeof value === 'string') choices.set(Number(number), value);
  }
  return {
    text: hasFile ? await textOfFile(file) : textOf('list'),
    column: textOf('column').trim(),
    on: on === '' ? undefined : readValue('on', on, DAY_PARAMETER.on, on),
    choices,
  };
}

async function formOf(request: FhirRequest, longAnswers: LongAnswers): Promise<FormData> {
  // Lists are longer than the forms of searches.
  const bytes = (await request.readBody?.('resource')) ?? new Uint8Array();
  const contentType = headerOf(request, 'content-type') ?? '';
  await longAnswers.begin(request);
  try {
    const body = new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } });
    return await body.formData();
  } catch {
    throw refuse('The form cannot be read. Send it from the page.');
  }
}

async function textOfFile(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw refuse(
      'The file is not text in UTF-8. Is it a workbook (.xlsx)? In Excel, choose Save as and ' +
        'CSV UTF-8, and upload that file.',
    );
  }
}

/** The rows, as a table with headings. Rejects with a FhirError that says what to change. */
export async function readSentList(edition: Edition, sent: SentList): Promise<CheckedList> {
  try {
    return await tableOf(edition, sent);
  } catch (error) {
    throw error instanceof TableError ? refuse(error.message) : error;
  }
}

async function tableOf(edition: Edition, sent: SentList): Promise<CheckedList> {
  const lines = sent.text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [head, second = ''] = lines;
  if (head === undefined) throw refuse('The list is empty. Paste a column, or choose a file.');
  const hasSeparator = /^sep=/i.test(head);
  const found = await headingsOf(hasSeparator ? `${head}\n${second}` : head, sent.column);
  await nextTurn();
  const isTable = found.inputs !== undefined || sent.column !== '' || /[\t;]/.test(head);
  if (isTable && found.inputs === undefined) throw found.error;
  const inputs = found.inputs ?? columnOf(lines);
  const text = isTable ? sent.text : [inputs[0].name, ...lines.map(asCell)].join('\r\n');
  const isPostcodes = inputs === POSTCODES.inputs;
  const withPlaces = !isTable && lines.some(isPostcode);
  const check: ListCheck = isPostcodes ? POSTCODES : rowCheckOf(edition, inputs, withPlaces);
  const options = {
    limits: { rows: LIST_ROWS_MAX, columns: COLUMNS_MAX },
    column: sent.column === '' ? undefined : sent.column,
    remedy: 'the field Column',
  };
  const table: TableRow[] = [];
  const pause = createPauses();
  for await (const row of readTable(inParts(text), check, options)) {
    const choice = sent.choices.get(table.length);
    const { cells, asked } = row;
    table.push(asked && choice ? { cells, asked: { ...asked, choice } } : row);
    await pause();
  }
  if (table.length < 2) throw refuse('The list has headings and no rows. Add the rows below them.');
  return { ...sent, text, isPostcodes, check, table };
}

/** A line of a pasted column is one value, also with commas. */
function asCell(line: string): string {
  return exactCsvLine([line.trim()]);
}

const KINDS: readonly Question['inputs'][] = [...NAME_INPUTS, POSTCODES.inputs];

interface Headings {
  /** The inputs of which the line has headings. */
  readonly inputs?: Question['inputs'];
  /** Why it has none. */
  readonly error?: unknown;
}

/** Names count before codes, and postcodes last: beside names, they only narrow these down. */
async function headingsOf(head: string, column: string): Promise<Headings> {
  let first: unknown;
  for (const inputs of KINDS) {
    try {
      const options = { column: column === '' ? undefined : column, remedy: 'the field Column' };
      const check = { name: 'check', inputs, columns: [] };
      await Array.fromAsync(readTable([Buffer.from(`${head}\n`)], check, options));
      return { inputs };
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      first ??= error;
    }
  }
  return { error: first };
}

/** A column without a heading has postcodes if its lines all are. Otherwise each line is a row alone. */
function columnOf(lines: readonly string[]): Question['inputs'] {
  return lines.every(isPostcode) ? POSTCODES.inputs : NAME_INPUTS[0]!;
}

function isPostcode(line: string): boolean {
  return partsOfPostcode(line.trim()) !== undefined;
}

/** In short turns, because a long table takes a while to read. */
async function* inParts(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    if (at > 0) await nextTurn();
    yield bytes.subarray(at, at + PART_BYTES);
  }
}

const PART_BYTES = 8 * 1024;
