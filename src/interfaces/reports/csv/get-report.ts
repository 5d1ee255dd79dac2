/** Answers requests for reports: one as CSV, several as a zip. */

import { hash } from 'node:crypto';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { OpenDownload } from '../../../fhir/service/interaction.ts';
import { ANSWER_HEADERS } from '../../../fhir/statement/open-api-answers.ts';
import { currentOf, type Editions, longAnswersOf } from '../../answer/editions.ts';

import { zipPieces } from '../../answer/zip-pieces.ts';
import { type PlainEndpoint, type PlainResult, plainEndpoint } from '../../json/endpoint.ts';
import { TEXT_KIND } from '../../json/kinds.ts';
import { compactDate } from './facts.ts';
import {
  REPORT_PARAMETERS,
  type ReportRequest,
  reportRequestOf,
  unknownReportFile,
} from './parameters.ts';
import type { Dialect } from './report.ts';
import { openReport } from './report-file.ts';
import { reportNamed } from './report-table.ts';
import { isOfPractitioners } from './supplied-reports.ts';
import type { ReportOptions } from './write-report.ts';

export interface ServedReports {
  readonly editions: Editions;
  /** The current date in England, `YYYY-MM-DD`. */
  readonly today: () => string;
  /** The folder of the reports that the release lacks. */
  readonly folder: string | undefined;
  /** Whether pages of other origins may read what is about practitioners. */
  readonly sharesPractitioners: boolean;
  /** The version of the program: entity tags change with it. */
  readonly program: string;
}

/** `getReport` of the service of today. */
export function getReportEndpoint(served: ServedReports): PlainEndpoint {
  const { today } = served;
  const open = createOpen(served);
  return plainEndpoint({
    path: 'getReport',
    method: 'GET',
    interaction: 'search-type',
    operationId: 'getReport',
    summary: 'A report as CSV, or several as a zip of CSV files.',
    parameters: REPORT_PARAMETERS,
    shown: ['report'],
    answers: { ...REPORT_ANSWERS, forms: { 'text/csv': {}, [ZIP]: {} } },
    ask: ({ values }) => {
      const request = reportRequestOf(values, today());
      const { reports, bundle } = request;
      const isZip = bundle !== undefined || reports.length > 1;
      return open(request, 'present', isZip ? zipNameOf(request, today()) : undefined);
    },
  });
}

/** `{report}.zip` as the former service published it. */
export function formerReportEndpoint(served: ServedReports): PlainEndpoint {
  const open = createOpen(served);
  return plainEndpoint({
    path: '{file}',
    method: 'GET',
    interaction: 'search-type',
    operationId: 'getReportFile',
    summary: 'A report as a zip of one CSV file, in the form of the time before 2025.',
    parameters: { file: { kind: TEXT_KIND, example: 'epraccur.zip' } },
    rules: { ignoresUnknown: true },
    answers: { ...REPORT_ANSWERS, forms: { [ZIP]: {} } },
    ask: ({ values: { file = '' } }) => {
      const [, name = ''] = /^(.*)\.zip$/.exec(file) ?? [];
      const report = reportNamed(name);
      if (report === undefined) throw FhirError.of('unknown-path', unknownReportFile(file));
      return open({ reports: [report] }, 'former', `${name}.zip`);
    },
  });
}

const ZIP = 'application/zip';

const REPORT_ANSWERS = {
  headers: ANSWER_HEADERS,
  isValidated: true,
  errors: { 404: 'There is no such report, or no data for it.' },
};

/** `zipName` is undefined for a single report as it is. */
type Open = (
  wanted: Pick<ReportRequest, 'reports'> & Omit<ReportOptions, 'dialect' | 'today'>,
  dialect: Dialect,
  zipName: string | undefined,
) => PlainResult;

function createOpen(served: ServedReports): Open {
  const longAnswers = longAnswersOf(served.editions);
  return (wanted, dialect, zipName) => {
    const open = (): OpenDownload => {
      const edition = currentOf(served.editions);
      const today = served.today();
      const supplies = { folder: served.folder, practitioners: edition.practitioners };
      const files = wanted.reports.map((report) =>
        openReport(edition, report, { ...wanted, dialect, today }, supplies),
      );
      const tags = files.map(({ name, tag }) => [name, tag]);
      const identity = [
        edition.number,
        edition.publishedAt,
        served.program,
        dialect,
        zipName,
        tags,
      ];
      const [first] = files;
      const etag = `W/"${hash('sha1', JSON.stringify(identity)).slice(0, 20)}"`;
      return {
        etag,
        headers: ['Content-Disposition', `attachment; filename="${zipName ?? first?.name}"`],
        pieces: longAnswers.pieces({
          kind: 'reports',
          key: { owner: edition, name: etag },
          make: (left) =>
            zipName === undefined
              ? first!.pieces()
              : zipPieces(files, new Date(edition.publishedAt), left),
        }),
      };
    };
    const isCompressed = zipName !== undefined;
    const isForOwnOrigin =
      !served.sharesPractitioners && wanted.reports.some(({ name }) => isOfPractitioners(name));
    return { open, isCompressed, contentType: isCompressed ? ZIP : CSV, isForOwnOrigin };
  };
}

const CSV = 'text/csv; charset=utf-8';

/** `22_04_2025_userDefinedPack.zip`, `prescribingDataPack_changes_90_days_to_20250424.zip` */
function zipNameOf({ bundle = 'userDefinedPack', changes }: ReportRequest, today: string): string {
  return changes === undefined
    ? `${today.split('-').reverse().join('_')}_${bundle}.zip`
    : `${bundle}_changes_${changes}_days_to_${compactDate(today)}.zip`;
}
