/** Answers requests for reports: one as CSV, several as a zip. */

import { hash } from 'node:crypto';
import { gzipPieces } from '../../../fhir/http/gzip.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { FhirResponse } from '../../../fhir/request/request.ts';
import { answerDownload } from '../../../fhir/service/answer.ts';
import type { OpenDownload } from '../../../fhir/service/interaction.ts';
import type { PlainContext } from '../../../fhir/service/plain-service.ts';
import { withoutOtherOrigins } from '../../answer/answer-options.ts';
import type { createPieceLimit } from '../../answer/downloads.ts';
import { currentOf, type Editions } from '../../answer/editions.ts';
import { zipPieces } from '../../answer/zip-pieces.ts';
import { compactDate } from './facts.ts';
import { nearestReport, parseReportQuery, type ReportRequest } from './parameters.ts';
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
  /** Admits reports until a thread sends too many. */
  readonly limit: ReturnType<typeof createPieceLimit>;
}

/** Answers `getReport` of the service of today. */
export function createGetReport(served: ServedReports): (context: PlainContext) => FhirResponse {
  const send = createSend(served);
  return (context) => {
    const { today } = served;
    const request = parseReportQuery(context.request.query, today());
    const { reports, bundle } = request;
    const isZip = bundle !== undefined || reports.length > 1;
    return send(context, request, 'present', isZip ? zipNameOf(request, today()) : undefined);
  };
}

/** Answers `{report}.zip` as the former service published it. */
export function createFormerReport(served: ServedReports): (context: PlainContext) => FhirResponse {
  const send = createSend(served);
  return (context) => {
    const [, name = ''] = /^(.*)\.zip$/.exec(context.id) ?? [];
    const report = reportNamed(name);
    if (report === undefined) {
      const nearest = nearestReport(name.toLowerCase() || context.id.replace(/\.\w*$/, ''));
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}.zip?`;
      throw FhirError.of('unknown-path', `There is no report file "${context.id}".${hint}`);
    }
    return send(context, { reports: [report] }, 'former', `${name}.zip`);
  };
}

/** `zipName` is undefined for a single report as it is. */
type Send = (
  context: PlainContext,
  request: Pick<ReportRequest, 'reports'> & Omit<ReportOptions, 'dialect' | 'today'>,
  dialect: Dialect,
  zipName: string | undefined,
) => FhirResponse;

function createSend(served: ServedReports): Send {
  const { limit } = served;
  return ({ request, service, interaction }, wanted, dialect, zipName) => {
    const open = (): OpenDownload => {
      const edition = currentOf(served.editions);
      const today = served.today();
      const files = wanted.reports.map((report) =>
        openReport(edition, report, { ...wanted, dialect, today }, served.folder),
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
      return {
        etag: `W/"${hash('sha1', JSON.stringify(identity)).slice(0, 20)}"`,
        headers: ['Content-Disposition', `attachment; filename="${zipName ?? first?.name}"`],
        pieces: (isGzip, addressOf, left) => {
          const pieces =
            zipName === undefined
              ? first!.pieces()
              : zipPieces(files, new Date(edition.publishedAt));
          return limit(isGzip ? gzipPieces(pieces, left) : pieces, addressOf);
        },
      };
    };
    const isCompressed = zipName !== undefined;
    const contentType = isCompressed ? 'application/zip' : CSV;
    const download = { contentType, isCompressed, open };
    const answer = answerDownload(request, service, download, interaction.code);
    const isKept =
      !served.sharesPractitioners && wanted.reports.some(({ name }) => isOfPractitioners(name));
    return isKept ? withoutOtherOrigins(answer) : answer;
  };
}

const CSV = 'text/csv; charset=utf-8';

/** Programs fetch several reports at the same time. A piece of one takes about half a millisecond. */
export const REPORTS_AT_ONCE = { inThread: 16, ofClient: 8 };

/** `22_04_2025_userDefinedPack.zip`, `prescribingDataPack_changes_90_days_to_20250424.zip` */
function zipNameOf({ bundle = 'userDefinedPack', changes }: ReportRequest, today: string): string {
  return changes === undefined
    ? `${today.split('-').reverse().join('_')}_${bundle}.zip`
    : `${bundle}_changes_${changes}_days_to_${compactDate(today)}.zip`;
}
