/**
 * The interface of the national service Data Search and Export: reports and searches below `/api`,
 * and the zip files of reports where scripts of the time before found them.
 */

import type { PlainService } from '../../fhir/service/interaction.ts';
import { createEndpointService } from '../json/endpoint-service.ts';
import { type JsonServiceOptions, todayOf } from '../json/json-service.ts';
import { formerReportEndpoint, getReportEndpoint, type ServedReports } from './csv/get-report.ts';
import { searchEndpoints } from './search/endpoints.ts';

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
  };
  const [reports, files] = REPORT_SERVICE_NAMES;
  return [
    createEndpointService(options, {
      name: reports,
      title: 'Data Search and Export',
      description:
        'The directory of organisations as the CSV reports and the searches of the national service Data ' +
        'Search and Export.',
      baseUrl: `${serverUrl}/api`,
      endpoints: [getReportEndpoint(served), ...searchEndpoints(served)],
    }),
    createEndpointService(options, {
      name: files,
      title: 'Files of reports',
      description: 'The reports as zip files, as they were published until 2025.',
      baseUrl: serverUrl + REPORT_PATHS.files,
      endpoints: [formerReportEndpoint(served)],
    }),
  ];
}
