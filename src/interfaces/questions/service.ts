/** The questions about codes and names over HTTP: a few by GET, up to 1,000 by POST, as JSON or CSV. */

import { LINKS_UNKNOWN_TEXT } from '../../directory/edition/edition.ts';
import { headerOf } from '../../fhir/http/headers.ts';
import { mediaTypeOf, mediaTypeRefusal } from '../../fhir/http/media-type.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../../fhir/request/request.ts';
import { answerBody, answerPieces } from '../../fhir/service/answer.ts';
import type { PlainOperation, PlainService } from '../../fhir/service/interaction.ts';
import type { PlainContext } from '../../fhir/service/plain-service.ts';
import { createTextLimit } from '../answer/downloads.ts';
import { currentOf, type Editions } from '../answer/editions.ts';
import { dayNamed, readParameters, refuse } from '../json/json-parameters.ts';
import { arrayOf, DATE, jsonContent, objectOf, parameterOf, TEXT } from '../json/json-schema.ts';
import {
  createJsonService,
  errorAnswers,
  JSON_FORM,
  type JsonRoute,
  type JsonServiceOptions,
  readJsonBody,
  todayOf,
} from '../json/json-service.ts';
import { answeredLines, readTable, type TableRow } from './csv-table.ts';
import type { AnswerRow, Question, QuestionRow } from './question.ts';
import { QUESTIONS } from './questions.ts';
import { TableError } from './table-headings.ts';

export const CODE_SERVICE_NAMES: readonly string[] = QUESTIONS.map(({ name }) => name);

export function createCodeServices(options: JsonServiceOptions): readonly PlainService[] {
  const { editions, serverUrl } = options;
  const today = todayOf(options);
  const send = createTextLimit('answers about many codes or names', SMALL_MAX, LARGE_AT_ONCE);
  return QUESTIONS.map((question) =>
    createJsonService(options, {
      name: question.name,
      title: question.title,
      description: question.summary,
      baseUrl: `${serverUrl}/${question.name}`,
      words: [...question.inputs.map(({ name }) => name), 'on', 'column'],
      routes: routesOf(question, editions, today, send),
    }),
  );
}

/** As many as a URL can ask for. */
const SMALL_MAX = 50;

const LARGE_AT_ONCE = { inThread: 8, ofClient: 4 };

function routesOf(
  question: Question,
  editions: Editions,
  today: () => string,
  send: ReturnType<typeof createTextLimit>,
): readonly JsonRoute[] {
  const open = async (on: string | undefined) => {
    const edition = currentOf(editions);
    if (question.needsLinks && !edition.hasLinks) {
      throw FhirError.of('no-record', LINKS_UNKNOWN_TEXT);
    }
    if (on !== undefined) dayNamed('on', on);
    const day = on ?? today();
    return { day, ask: await question.open(edition, day) };
  };
  const answerRows = async (context: PlainContext, { rows, on }: Asked): Promise<FhirResponse> => {
    const { day, ask } = await open(on);
    return answerPieces(context, JSON_FORM, send(resultTexts(day, rows, ask), rows.length));
  };
  const answerTable = async (context: PlainContext): Promise<FhirResponse> => {
    const { on, column } = readParameters(context.request.query, ['on', 'column']).values;
    const rows = await readRowsOfTable(context.request, question, column);
    const { ask } = await open(on);
    const lines = answeredLines(rows, question, ask);
    return answerPieces(context, CSV_FORM, send(withLineEnds(lines), rows.length));
  };
  const operation = operationsOf(question);
  const { refusalOf } = question;
  const item: JsonRoute = {
    path: `{${question.inputs[0].name}}`,
    method: 'GET',
    interaction: 'read',
    operation: operation.item,
    answer: async (context) => {
      const { ask } = await open(dayInQuery(context.request));
      const found = ask({ [question.inputs[0].name]: context.id });
      const refusal = refusalOf?.(found);
      if (refusal !== undefined) throw refusal;
      return answerBody(context, JSON_FORM, { body: JSON.stringify(found) });
    },
  };
  return [
    ...(refusalOf === undefined ? [] : [item]),
    {
      path: '',
      method: 'GET',
      interaction: 'read',
      operation: operation.get,
      answer: (context) => answerRows(context, readQuery(context.request.query, question)),
    },
    {
      path: '',
      method: 'POST',
      interaction: 'search-type',
      operation: operation.post,
      answer: async (context) => {
        const { request } = context;
        const types = `application/json or ${CSV}`;
        const refusal = mediaTypeRefusal(request, (type) => TYPES.has(type), types);
        if (refusal !== undefined) throw refusal;
        if (mediaTypeOf(headerOf(request, 'content-type') ?? '') === CSV) {
          return answerTable(context);
        }
        return answerRows(context, await readRows(request, question));
      },
    },
  ];
}

const CSV = 'text/csv';
const TYPES: ReadonlySet<string> = new Set(['application/json', CSV]);
const CSV_FORM: Form = { ...JSON_FORM, contentType: `${CSV}; charset=utf-8` };
const ROWS_MAX = 1000;
/** Each row of the answer has a cell for each column, so that a few bytes of a body become many. */
const COLUMNS_MAX = 200;

interface Asked {
  readonly rows: readonly QuestionRow[];
  readonly on: string | undefined;
}

/** The first input may be repeated, and may be a list with commas: each of its values is a row. */
function readQuery(query: string, { inputs }: Question): Asked {
  const [{ name: main, hasNoCommas = false }] = inputs;
  const known = [...inputs.map(({ name }) => name), 'on'];
  const { values, repeated } = readParameters(query, known, main);
  const { on, ...rest } = values;
  const others = Object.entries(rest).map(([name, value = '']) => [name, value]);
  const list = hasNoCommas ? repeated.flatMap((value) => value.split(',')) : repeated;
  const rows = list.map((value) => ({ ...Object.fromEntries(others), [main]: value }));
  if (list.some((value) => value.trim() === '')) throw refuse(`${main} is empty.`);
  return { rows: checked(rows, main), on };
}

/** With a body or a path of an item, only the day may be in the query. */
function dayInQuery({ query }: FhirRequest): string | undefined {
  return readParameters(query, ['on']).values.on;
}

/** `{"codes": ["RW6"]}`, or `{"rows": [{"name": "…"}]}`; with `on`. */
async function readRows(request: FhirRequest, { inputs }: Question): Promise<Asked> {
  const [{ name: main }] = inputs;
  const list = `${main}s`;
  const day = dayInQuery(request);
  const example = `{"${list}": ["${inputs[0].example}"]}`;
  const body = await readJsonBody(request, example);
  const texts = body[list];
  const { rows, on = day } = body;
  const unknown = Object.keys(body).find((name) => ![list, 'rows', 'on'].includes(name));
  if (unknown !== undefined) {
    throw refuse(
      `The body can have ${list} or rows, and on. It cannot have ${JSON.stringify(unknown)}.`,
    );
  }
  if (texts !== undefined && rows !== undefined) throw refuse(`Give ${list} or rows, not both.`);
  const items = texts ?? rows;
  if (!Array.isArray(items)) throw refuse(`The body must have a list ${list}, as in ${example}.`);
  if (day !== undefined && on !== day) throw refuse('on differs in the URL and in the body.');
  if (on !== undefined && on !== null && typeof on !== 'string')
    throw refuse('on must be a date YYYY-MM-DD.');
  const found = items.map((item: unknown, at): QuestionRow => {
    if (typeof item === 'string') return { [main]: item };
    const values = typeof item === 'object' && item !== null ? Object.entries(item) : [];
    if (values.length === 0 || values.some(([, value]) => typeof value !== 'string')) {
      throw refuse(`Item ${at + 1} of the list must be a text, or an object of texts.`);
    }
    return Object.fromEntries(values);
  });
  return { rows: checked(found, main), on: on ?? undefined };
}

function checked(rows: readonly QuestionRow[], main: string): readonly QuestionRow[] {
  if (rows.length === 0) throw refuse(`There is no ${main}. Give at least one.`);
  if (rows.length > ROWS_MAX) {
    throw refuse(`There are ${rows.length} rows. At most ${ROWS_MAX} are allowed in a request.`);
  }
  const without = rows.findIndex((row) => (row[main] ?? '').trim() === '');
  if (without < 0) return rows.map((row) => ({ ...row, [main]: row[main]!.trim() }));
  throw refuse(`Row ${without + 1} has no ${main}.`);
}

/**
 * All rows, so that a table with a mistake is refused before the answer begins. They may lack a value:
 * their answer says so.
 */
async function readRowsOfTable(
  request: FhirRequest,
  question: Question,
  column: string | undefined,
): Promise<readonly TableRow[]> {
  const bytes = (await request.readBody?.('form')) ?? new Uint8Array();
  try {
    const limits = { rows: ROWS_MAX, columns: COLUMNS_MAX };
    return await Array.fromAsync(
      readTable([bytes], question, { limits, column, remedy: '?column=HEADING' }),
    );
  } catch (error) {
    throw error instanceof TableError ? refuse(error.message) : error;
  }
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\r\n`;
}

function* resultTexts(
  day: string,
  rows: readonly QuestionRow[],
  ask: AnswerRow<object>,
): Generator<string> {
  let before = `{"on":${JSON.stringify(day)},"results":[`;
  for (const row of rows) {
    yield before + JSON.stringify(ask(row));
    before = ',';
  }
  yield ']}';
}

function operationsOf({ name, summary, inputs, schema, needsLinks }: Question) {
  const parameters = [
    ...inputs.map(({ name: input, documentation, example, isRequired: required = false }) =>
      parameterOf(input, documentation, { required, example }),
    ),
    parameterOf('on', 'The day, `YYYY-MM-DD`. Without it: today.', { schema: DATE }),
  ];
  const results = objectOf({ on: {}, results: arrayOf(schema) });
  const responses = {
    200: { description: summary, content: jsonContent(results) },
    ...errorAnswers({
      413: 'The body is too large.',
      415: 'The body is neither JSON nor CSV in UTF-8.',
      ...(needsLinks && { 404: 'The directory does not know relationships.' }),
    }),
  };
  const body = objectOf({ [`${inputs[0].name}s`]: arrayOf(TEXT), on: {} });
  const ofPath = parameters.slice(0, 1).map((parameter) => ({ ...parameter, in: 'path' }));
  return {
    item: {
      operationId: `${name}One`,
      summary,
      parameters: [...ofPath, ...parameters.slice(-1)],
      responses: {
        200: { description: summary, content: jsonContent(schema) },
        ...errorAnswers({ 404: 'There is none.' }),
      },
    } satisfies PlainOperation,
    get: { operationId: name, summary, parameters, responses } satisfies PlainOperation,
    post: {
      operationId: `${name}Many`,
      summary: `${summary} Up to 1,000 in JSON or CSV.`,
      parameters: [
        ...parameters.slice(-1),
        parameterOf(
          'column',
          `The heading of the column of a CSV table that has the ${inputs[0].name}, if it is not a usual one.`,
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: body,
            example: { [`${inputs[0].name}s`]: [inputs[0].example] },
          },
          [CSV]: { schema: TEXT },
        },
      },
      responses,
    } satisfies PlainOperation,
  };
}
