/**
 * The interface of the national service Data Search and Export: reports and searches below `/api`,
 * and the zip files of reports where scripts of the time before found them.
 */

import type { PlainOperation, PlainService } from '../../fhir/service/interaction.ts';
import { ANSWER_HEADERS, NOT_MODIFIED } from '../../fhir/statement/open-api-answers.ts';
import { createPieceLimit } from '../answer/downloads.ts';
import { parameterOf, TEXT } from '../json/json-schema.ts';
import {
  createJsonService,
  errorAnswers,
  type JsonServiceOptions,
  todayOf,
} from '../json/json-service.ts';
import {
  createFormerReport,
  createGetReport,
  REPORTS_AT_ONCE,
  type ServedReports,
} from './csv/get-report.ts';
import { REPORT_PARAMETERS } from './csv/parameters.ts';
import { SEARCH_NAMES } from './search/body.ts';
import { CODE_PARAMETER } from './search/operations.ts';
import { createSearchRoutes } from './search/routes.ts';

export const REPORT_SERVICE_NAMES = ['Reports', 'ReportFiles'] as const;

/** Below the public address of the server, where clients of the national service look. */
export const REPORT_PATHS = { getReport: '/api/getReport', files: '/assets/ods/current' } as const;

export function createReportServices(options: JsonServiceOptions): readonly PlainService[] {
  const { settings, serverUrl, editions, programVersion: program = '' } = options;
  const served: ServedReports = {
    editions,
    today: todayOf(options),
    folder: settings.reports,
    sharesPractitioners: settings.sharePractitioners,
    program,
    limit: createPieceLimit('reports', REPORTS_AT_ONCE),
  };
  const [reports, files] = REPORT_SERVICE_NAMES;
  return [
    createJsonService(options, {
      name: reports,
      title: 'Data Search and Export',
      description:
        'The same directory as the CSV reports and the searches of the national service Data ' +
        'Search and Export.',
      baseUrl: `${serverUrl}/api`,
      words: [...REPORT_PARAMETERS.map(({ name }) => name), ...SEARCH_NAMES, CODE_PARAMETER],
      routes: [
        {
          path: 'getReport',
          method: 'GET',
          interaction: 'search-type',
          answer: createGetReport(served),
          operation: reportOperation('getReport'),
        },
        ...createSearchRoutes(served),
      ],
    }),
    createJsonService(options, {
      name: files,
      title: 'Files of reports',
      description: 'The reports as zip files, as they were published until 2025.',
      baseUrl: serverUrl + REPORT_PATHS.files,
      words: [],
      routes: [
        {
          path: '{file}',
          method: 'GET',
          interaction: 'search-type',
          answer: createFormerReport(served),
          operation: reportOperation('getReportFile'),
        },
      ],
    }),
  ];
}

const OPERATIONS = {
  getReport: {
    summary: 'A report as CSV, or several as a zip of CSV files.',
    parameters: REPORT_PARAMETERS.map(({ name, documentation, schema = TEXT }) =>
      parameterOf(name, documentation, {
        schema,
        ...(name === 'report' && { example: 'epraccur' }),
      }),
    ),
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

function reportOperation(operationId: keyof typeof OPERATIONS): PlainOperation {
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
