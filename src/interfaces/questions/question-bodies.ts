/** The bodies that ask a question of many codes or names: JSON, or a table in CSV. */

import type { FhirRequest } from '../../fhir/request/request.ts';
import { unknownName } from '../../fhir/request/unknown-name.ts';
import { type Editions, longAnswersOf } from '../answer/editions.ts';
import type { PlainBody } from '../json/endpoint.ts';
import { JSON_MEDIA_TYPE, readJsonBody } from '../json/json-body.ts';
import { OPENAPI, refuse } from '../json/json-parameters.ts';
import { arrayOf, objectOf, TEXT } from '../json/json-schema.ts';
import { readValue, shownValue } from '../json/read-parameters.ts';
import { readTable, type TableRow } from './csv-table.ts';
import type { Question, QuestionRow } from './question.ts';
import { checkedRows, DAY_PARAMETER, QUESTION_ROWS_MAX } from './question-parameters.ts';
import { TableError } from './table-headings.ts';

export const CSV_TYPE = 'text/csv';

/** What a body asks: rows, or the rows of a table that gets the answers as columns. */
export type AskedBody =
  | { readonly rows: readonly QuestionRow[]; readonly on: string | undefined }
  | { readonly table: readonly TableRow[] };

export function bodiesOf(
  question: Question,
  editions: Editions,
): Readonly<Record<string, PlainBody<AskedBody>>> {
  const [{ name, example }] = question.inputs;
  return {
    [JSON_MEDIA_TYPE]: {
      schema: objectOf({ [`${name}s`]: arrayOf(TEXT), on: {} }),
      example: { [`${name}s`]: [example] },
      read: async (request, { column }) => {
        if (column !== undefined)
          throw refuse('column is for tables in CSV. Leave it out with JSON.');
        return await readRows(request, question);
      },
    },
    [CSV_TYPE]: {
      schema: TEXT,
      read: async (request, { column }) => ({
        table: await readRowsOfTable(
          await tableOf(request, editions),
          question,
          typeof column === 'string' ? column : undefined,
        ),
      }),
    },
  };
}

/** `{"codes": ["RW6"]}`, or `{"rows": [{"name": "…"}]}`; with `on`. */
async function readRows(request: FhirRequest, { inputs }: Question): Promise<AskedBody> {
  const inputNames = inputs.map(({ name }) => name);
  const [{ name: main }] = inputs;
  const list = `${main}s`;
  const example = `{"${list}": ["${inputs[0].example}"]}`;
  const body = await readJsonBody(request, example);
  const texts = body[list];
  const { rows, on } = body;
  const known = [list, 'rows', 'on'];
  checkMembers(body, 'member of the body', known);
  if (texts !== undefined && rows !== undefined) throw refuse(`Give ${list} or rows, not both.`);
  const items = texts ?? rows;
  if (!Array.isArray(items)) throw refuse(`The body must have a list ${list}, as in ${example}.`);
  const day = on === undefined || on === null ? undefined : readDay(on);
  const found = items.map((item: unknown, at): QuestionRow => {
    if (typeof item === 'string') return { [main]: item };
    const values = typeof item === 'object' && item !== null ? Object.entries(item) : [];
    if (values.length === 0 || values.some(([, value]) => typeof value !== 'string')) {
      throw refuse(`Item ${at + 1} of the list must be a text, or an object of texts.`);
    }
    const row: QuestionRow = Object.fromEntries(values);
    checkMembers(row, `member of item ${at + 1}`, inputNames);
    return row;
  });
  return { rows: checkedRows(found, main), on: day };
}

/** Throws a FhirError that names the first member that is not known. */
function checkMembers(sent: object, kind: string, known: readonly string[]): void {
  const unknown = Object.keys(sent).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw refuse(unknownName({ kind, sent: unknown, known, listedAt: OPENAPI }));
}

function readDay(on: unknown): string {
  const text = typeof on === 'string' ? on : undefined;
  return readValue('on', text, DAY_PARAMETER.on, shownValue(on));
}

/** Each row of the answer has a cell for each column, so that a few bytes of a body become many. */
const COLUMNS_MAX = 200;

/** The bytes of a table, when there is time to read its rows. */
async function tableOf(request: FhirRequest, editions: Editions): Promise<Uint8Array> {
  const bytes = (await request.readBody?.('form')) ?? new Uint8Array();
  await longAnswersOf(editions).begin(request);
  return bytes;
}

/**
 * All rows, so that a table with a mistake is refused before the answer begins. They may lack a value:
 * their answer says so.
 */
async function readRowsOfTable(
  bytes: Uint8Array,
  question: Question,
  column: string | undefined,
): Promise<readonly TableRow[]> {
  try {
    const limits = { rows: QUESTION_ROWS_MAX, columns: COLUMNS_MAX };
    const options = { limits, column, remedy: '?column=HEADING' };
    return await Array.fromAsync(readTable([bytes], question, options));
  } catch (error) {
    throw error instanceof TableError ? refuse(error.message) : error;
  }
}
