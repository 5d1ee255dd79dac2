/**
 * The operations of reports in the OpenAPI description.
 * https://spec.openapis.org/oas/v3.1.0.html#operation-object
 */
import type { PlainOperation } from '../../fhir/service/interaction.ts';
import { ANSWER_HEADERS, NOT_MODIFIED } from '../../fhir/statement/open-api-answers.ts';
import { errorAnswers } from '../answer/json-service.ts';
import { REPORT_PARAMETERS } from './parameters.ts';

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
