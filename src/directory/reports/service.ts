/**
 * The interface of the national service Data Search and Export: reports and searches below `/api`,
 * and the zip files of reports where scripts of the time before found them.
 */

import { headersOf } from '../../fhir/service/answer.ts';
import { fhirErrorOf, printableText } from '../../fhir/service/failure.ts';
import { ERROR_ROWS, FhirError } from '../../fhir/service/fhir-error.ts';
import type { Authorize, PlainService } from '../../fhir/service/interaction.ts';
import { createPlainHandle } from '../../fhir/service/plain-service.ts';
import { directoryAnswers } from '../answer/answer-options.ts';
import type { Editions } from '../edition/editions.ts';
import type { DirectorySettings } from '../settings.ts';
import { dayOf } from '../time/in-force.ts';
import { createFormerReport, createGetReport, type ServedReports } from './get-report.ts';
import { reportOperation } from './operations.ts';
import { REPORT_PARAMETERS } from './parameters.ts';
import type { ReportRoute } from './route.ts';
import { SEARCH_NAMES } from './search/body.ts';
import { CODE_PARAMETER } from './search/operations.ts';
import { createSearchRoutes } from './search/routes.ts';

export interface ReportServiceOptions {
  readonly settings: DirectorySettings;
  /** Without a slash at the end. */
  readonly serverUrl: string;
  readonly editions: Editions;
  /** Absent: the service asks for no token. */
  readonly authorize?: Authorize | undefined;
  readonly programVersion?: string;
  readonly now?: () => number;
}

export const REPORT_SERVICE_NAMES = ['Reports', 'ReportFiles'] as const;

/** Below the public address of the server, where clients of the national service look. */
export const REPORT_PATHS = { getReport: '/api/getReport', files: '/assets/ods/current' } as const;

export function createReportServices(options: ReportServiceOptions): readonly PlainService[] {
  const { settings, serverUrl, editions, programVersion: program = '', now = Date.now } = options;
  const served: ServedReports = {
    editions,
    today: () => dayOf(new Date(now())),
    folder: settings.reports,
    program,
  };
  const [reports, files] = REPORT_SERVICE_NAMES;
  const create = plainServiceOf(options);
  return [
    create({
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
    create({
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

interface ReportServiceParts
  extends Pick<PlainService, 'name' | 'title' | 'description' | 'baseUrl' | 'words'> {
  readonly routes: readonly ReportRoute[];
}

/** Errors are `{"error": "…"}`. */
function plainServiceOf({ settings, authorize }: ReportServiceOptions) {
  const answers = { ...directoryAnswers(settings, ['Content-Disposition']), authorize };
  return ({ routes, words, ...parts }: ReportServiceParts): PlainService => ({
    ...parts,
    words: [...routes.flatMap(({ path }) => path.split('/')), ...words],
    operations: Object.fromEntries(
      routes.map(({ path, operation }) => [
        path,
        { ...operation, ...(authorize && { security: [{ bearer: [] }] }) },
      ]),
    ),
    handle: createPlainHandle({
      baseUrl: parts.baseUrl,
      routes,
      answers,
      notFound: NOT_FOUND,
      fail: (request, error, onFault, interaction) => {
        const { issues, headers } = fhirErrorOf(error, { request, onFault });
        const [{ kind, diagnostics }] = issues;
        return {
          status: ERROR_ROWS[kind].status,
          headers: ['Content-Type', JSON_TYPE, ...headersOf(answers, request), ...headers],
          body: JSON.stringify({ error: printableText(diagnostics) }),
          interaction,
          format: 'json',
        };
      },
    }),
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

const NOT_FOUND = new FhirError([
  { kind: 'unknown-path', diagnostics: 'There is nothing at this path.' },
]);
