/** The questions about codes and names over HTTP: a few by GET, up to 1,000 by POST, as JSON or CSV. */

import { hash } from 'node:crypto';
import type { Edition } from '../../directory/edition/edition.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import type { OpenDownload, PlainService } from '../../fhir/service/interaction.ts';
import { currentOf, type Editions, longAnswersOf } from '../answer/editions.ts';
import { type Texts, textPieces } from '../answer/long-answers.ts';
import {
  type PlainAnswers,
  type PlainEndpoint,
  type PlainResult,
  plainEndpoint,
} from '../json/endpoint.ts';
import { createEndpointService } from '../json/endpoint-service.ts';
import { refuse } from '../json/json-parameters.ts';
import { arrayOf, jsonContent, objectOf } from '../json/json-schema.ts';
import { JSON_FORM, type JsonServiceOptions, todayOf } from '../json/json-service.ts';
import { answeredLines, type TableRow } from './csv-table.ts';
import { type AnswerRow, openQuestion, type Question, type QuestionRow } from './question.ts';
import { bodiesOf, CSV_TYPE } from './question-bodies.ts';
import {
  DAY_PARAMETER,
  inputTableOf,
  mainTableOf,
  rowsOfValues,
  TABLE_PARAMETERS,
} from './question-parameters.ts';
import { QUESTIONS } from './questions.ts';
import { createRolesService, ROLES_SERVICE_NAME } from './roles.ts';

export const CODE_SERVICE_NAMES: readonly string[] = [
  ...QUESTIONS.map(({ name }) => name),
  ROLES_SERVICE_NAME,
];

export function createCodeServices(options: JsonServiceOptions): readonly PlainService[] {
  const { editions, serverUrl } = options;
  const today = todayOf(options);
  const questions = QUESTIONS.map((question) =>
    createEndpointService(options, {
      name: question.name,
      title: question.title,
      description: question.summary,
      baseUrl: `${serverUrl}/${question.name}`,
      endpoints: endpointsOf(question, { editions, today }),
    }),
  );
  return [...questions, createRolesService(options)];
}

interface Served {
  readonly editions: Editions;
  readonly today: () => string;
}

function endpointsOf(question: Question, served: Served): readonly PlainEndpoint[] {
  const one = question.refusalOf === undefined ? [] : [oneEndpoint(question, served)];
  return [...one, fewEndpoint(question, served), manyEndpoint(question, served)];
}

/** One by its own path: `/postcodes/LS1 4AP`. */
function oneEndpoint(question: Question, served: Served): PlainEndpoint {
  const { name, summary, schema, inputs, refusalOf } = question;
  const [{ name: main }] = inputs;
  return plainEndpoint({
    path: `{${main}}`,
    method: 'GET',
    interaction: 'read',
    operationId: `${name}One`,
    summary,
    parameters: { ...mainTableOf(question), ...DAY_PARAMETER },
    answers: { forms: jsonContent(schema), errors: { 404: 'There is none.' } },
    ask: async ({ values, request }) => {
      const { ask } = await open(question, served, { on: values.on, request });
      const found = ask(rowsOfValues(values, question)[0]!);
      const refusal = refusalOf?.(found);
      if (refusal !== undefined) throw refusal;
      return { text: JSON.stringify(found) };
    },
  });
}

/** A few in the query. */
function fewEndpoint(question: Question, served: Served): PlainEndpoint {
  const { name, summary, inputs } = question;
  return plainEndpoint({
    path: '',
    method: 'GET',
    interaction: 'read',
    operationId: name,
    summary,
    parameters: { ...inputTableOf(question), ...DAY_PARAMETER },
    shown: inputs.map((input) => input.name),
    answers: listAnswers(question),
    ask: ({ values, request }) =>
      answerRows(question, served, rowsOfValues(values, question), { on: values.on, request }),
  });
}

/** Many in a body. Only the day may be in the query too. */
function manyEndpoint(question: Question, served: Served): PlainEndpoint {
  const { name, summary } = question;
  return plainEndpoint({
    path: '',
    method: 'POST',
    interaction: 'search-type',
    operationId: `${name}Many`,
    summary: `${summary} Up to 1,000 in JSON or CSV.`,
    parameters: TABLE_PARAMETERS,
    bodies: bodiesOf(question, served.editions),
    answers: { description: summary, ...listAnswers(question) },
    ask: async ({ values: { on }, body, request }): Promise<PlainResult> => {
      if ('table' in body) {
        const { day, edition, ask } = await open(question, served, { on, request });
        const texts = () => withLineEnds(answeredLines(body.table, question, ask));
        const asked = { day, edition, rows: body.table };
        return { pieces: piecesOf(question, served, asked, texts), form: CSV_FORM };
      }
      if (on !== undefined && (body.on ?? on) !== on) {
        throw refuse('on differs in the URL and in the body.');
      }
      return answerRows(question, served, body.rows, { on: body.on ?? on, request });
    },
  });
}

const CSV_FORM: Form = { ...JSON_FORM, contentType: `${CSV_TYPE}; charset=utf-8` };

function listAnswers({ schema, needsLinks }: Question): PlainAnswers {
  return {
    forms: jsonContent(objectOf({ on: {}, results: arrayOf(schema) })),
    errors: {
      413: 'The body is too large.',
      415: 'The body is neither JSON nor CSV in UTF-8.',
      ...(needsLinks && { 404: 'The directory does not know relationships.' }),
    },
  };
}

/** The day of a question, and the request that asks it. */
interface QuestionTime {
  readonly on: string | undefined;
  readonly request: FhirRequest;
}

async function answerRows(
  question: Question,
  served: Served,
  rows: readonly QuestionRow[],
  time: QuestionTime,
): Promise<PlainResult> {
  const { day, edition, ask } = await open(question, served, time);
  const texts = () => resultTexts(day, rows, ask);
  return { pieces: piecesOf(question, served, { day, edition, rows }, texts) };
}

interface AskedRows {
  readonly day: string;
  readonly edition: Edition;
  readonly rows: readonly QuestionRow[] | readonly TableRow[];
}

/** The answer to these rows, as it is made. */
function piecesOf(
  { name, shortMax }: Question,
  { editions }: Served,
  { day, edition, rows }: AskedRows,
  texts: () => Texts,
): OpenDownload['pieces'] {
  const isShort = rows.length <= shortMax;
  const key = {
    owner: edition,
    name: `${name} ${day} ${isShort ? '' : hash('sha256', JSON.stringify(rows))}`,
  };
  return longAnswersOf(editions).pieces({
    kind: 'answers about many codes or names',
    isShort: () => isShort,
    make: () => textPieces(texts()),
    ...(!isShort && { key }),
  });
}

interface OpenedQuestion {
  readonly day: string;
  readonly edition: Edition;
  readonly ask: AnswerRow<object>;
}

/** Rejects with a FhirError if the question cannot be asked of the current edition. */
async function open(
  question: Question,
  { editions, today }: Served,
  { on, request }: QuestionTime,
): Promise<OpenedQuestion> {
  const day = on ?? today();
  const edition = currentOf(editions);
  const ask = await openQuestion(question, edition, day, request.leftSignal?.());
  return { day, edition, ask };
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
