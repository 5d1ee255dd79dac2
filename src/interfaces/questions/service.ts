/** The questions about codes and names over HTTP: a few by GET, up to 1,000 by POST, as JSON or CSV. */

import type { Form } from '../../fhir/http/negotiate.ts';
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
import { answeredLines } from './csv-table.ts';
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

/** As many as a URL can ask for. */
const SMALL_MAX = 50;

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
    ask: async ({ values }) => {
      const { ask } = await open(question, served, values.on);
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
    ask: ({ values }) => answerRows(question, served, rowsOfValues(values, question), values.on),
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
    bodies: bodiesOf(question),
    answers: { description: summary, ...listAnswers(question) },
    ask: async ({ values: { on }, body }): Promise<PlainResult> => {
      if ('table' in body) {
        const { ask } = await open(question, served, on);
        const lines = withLineEnds(answeredLines(body.table, question, ask));
        return { pieces: piecesOf(served, lines, body.table.length), form: CSV_FORM };
      }
      if (on !== undefined && (body.on ?? on) !== on) {
        throw refuse('on differs in the URL and in the body.');
      }
      return answerRows(question, served, body.rows, body.on ?? on);
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

async function answerRows(
  question: Question,
  served: Served,
  rows: readonly QuestionRow[],
  on: string | undefined,
): Promise<PlainResult> {
  const { day, ask } = await open(question, served, on);
  return { pieces: piecesOf(served, resultTexts(day, rows, ask), rows.length) };
}

/** The answer to this number of rows, as it is made. */
function piecesOf({ editions }: Served, texts: Texts, rows: number): OpenDownload['pieces'] {
  return longAnswersOf(editions).pieces({
    kind: 'answers about many codes or names',
    isShort: () => rows <= SMALL_MAX,
    make: () => textPieces(texts),
  });
}

/** Rejects with a FhirError if the question cannot be asked of the current edition. */
async function open(
  question: Question,
  { editions, today }: Served,
  on: string | undefined,
): Promise<{ day: string; ask: AnswerRow<object> }> {
  const day = on ?? today();
  return { day, ask: await openQuestion(question, currentOf(editions), day) };
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
