/**
 * The operations of reports in the OpenAPI description.
 * https://spec.openapis.org/oas/v3.1.0.html#operation-object
 */
import type { PlainOperation } from '../../fhir/service/interaction.ts';
import { ANSWER_HEADERS, NOT_MODIFIED } from '../../fhir/statement/open-api-answers.ts';
import { REPORT_PARAMETERS } from './parameters.ts';

const ERROR_SCHEMA = { type: 'object', properties: { error: { type: 'string' } } };

const ANY_ERRORS = {
  400: 'A parameter is missing, unknown or not valid.',
  401: 'The token is missing.',
  403: 'The token does not allow this.',
  429: 'Too many requests.',
  503: 'The server has no edition, or is overloaded.',
};

/** The errors of an operation of this interface, by their statuses: its own, and those of every one. */
export function errorAnswers(own: Readonly<Record<number, string>>): Record<string, object> {
  const answers = Object.entries({ ...ANY_ERRORS, ...own }).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: ERROR_SCHEMA } } },
  ]);
  return Object.fromEntries(answers);
}

const OPERATIONS = {
  getReport: {
    summary: 'A report as CSV, or several as a zip of CSV files.',
    parameters: REPORT_PARAMETERS.map(({ name, documentation, schema = { type: 'string' } }) => ({
      name,
      in: 'query',
      description: documentation,
      schema,
      ...(name === 'report' && { example: 'epraccur' }),
    })),
    content: { 'text/csv': {}, 'application/zip': {} },
  },
  getReportFile: {
    summary: 'A report as a zip of one CSV file, in the form of the time before 2025.',
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        schema: { type: 'string' },
        example: 'epraccur.zip',
      },
    ],
    content: { 'application/zip': {} },
  },
};

export function reportOperation(operationId: keyof typeof OPERATIONS): PlainOperation {
  const { content, ...described } = OPERATIONS[operationId];
  return {
    operationId,
    ...described,
    responses: {
      200: { description: described.summary, headers: ANSWER_HEADERS, content },
      ...NOT_MODIFIED,
      ...errorAnswers({ 404: 'There is no such report, or no data for it.' }),
    },
  };
}
