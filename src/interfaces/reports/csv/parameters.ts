/** The query of `GET /api/getReport`. */

import { dayPeriod, daysAfter } from '../../../directory/record/day.ts';
import { nearestName, unknownName } from '../../../fhir/request/unknown-name.ts';
import type { DatePeriod } from '../../../fhir/search/date.ts';
import { refuse } from '../../json/json-parameters.ts';
import { TEXT } from '../../json/json-schema.ts';
import { DAY_KIND, FLAG_KIND, type Kind, oneOfKind } from '../../json/kinds.ts';
import { tableOf, type ValuesOf } from '../../json/parameter-table.ts';
import type { Report } from './report.ts';
import { REPORT_BUNDLES, REPORTS, reportNamed } from './report-table.ts';

export interface ReportRequest {
  /** At least one, each once. */
  readonly reports: readonly Report[];
  /** The name of the pack that the client asked for. */
  readonly bundle: string | undefined;
  /** Only records that changed on this day or later. */
  readonly changedSince: DatePeriod | undefined;
  /** That day, `YYYY-MM-DD`, or the number of days that the client gave instead. */
  readonly changes: string | number | undefined;
  readonly asAt: string | undefined;
  readonly hasHeadings: boolean;
}

const KNOWN_REPORTS = {
  known: REPORTS.map(({ name }) => name),
  listedAt: 'the page /reports or "gazetteer report --list"',
};

/** Several reports, each once. */
const REPORTS_KIND: Kind<readonly Report[]> = {
  schema: TEXT,
  rule: 'must be the names of reports, separated by commas',
  parse: (text) => {
    if (text === '') throw refuse(MISSING_REPORT);
    return [...new Set(text.split(','))].map((name) => knownReport(name));
  },
};

/** The text of the national service. */
const MISSING_REPORT = 'Missing report query parameter';

const DAYS = [7, 30, 90];

const PERIOD_KIND: Kind<number> = {
  schema: { type: 'integer', enum: DAYS },
  rule: 'must be 7, 30 or 90',
  parse: (text) => DAYS.find((days) => String(days) === text),
};

export const REPORT_PARAMETERS = tableOf({
  report: {
    documentation: 'The name of a report, or several separated by commas.',
    kind: REPORTS_KIND,
    example: 'epraccur',
  },
  reportBundle: {
    documentation: 'A pack of reports, in place of `report`.',
    kind: oneOfKind(Object.keys(REPORT_BUNDLES)),
    example: 'prescribingDataPack',
  },
  lastChangeStart: {
    documentation:
      'Only organisations that changed on this day or later: `YYYY-MM-DD`. For one report.',
    kind: DAY_KIND,
    example: '2026-06-01',
  },
  lastChangePeriod: {
    documentation:
      'Only organisations that changed in the last 7, 30 or 90 days. For several reports.',
    kind: PERIOD_KIND,
    example: '30',
  },
  headers: {
    documentation: '`true`: the first line has the headings of the columns.',
    kind: FLAG_KIND,
    example: 'true',
  },
  asAt: {
    documentation: 'The day that the report shows, if not today: `YYYY-MM-DD`.',
    kind: DAY_KIND,
    example: '2026-04-01',
  },
});

/** Throws a FhirError with the first problem. `today` is the date in England, `YYYY-MM-DD`. */
export function reportRequestOf(
  values: ValuesOf<typeof REPORT_PARAMETERS>,
  today: string,
): ReportRequest {
  const { report, reportBundle: bundle, lastChangeStart: start, lastChangePeriod: period } = values;
  if (report !== undefined && bundle !== undefined) {
    throw refuse('Use report or reportBundle, not both.');
  }
  const wanted =
    bundle === undefined ? report : REPORT_BUNDLES[bundle]?.map((name) => knownReport(name));
  if (wanted === undefined) throw refuse(MISSING_REPORT);
  const isOne = bundle === undefined && wanted.length === 1;
  if (start !== undefined && !isOne) {
    throw refuse('lastChangeStart is for one report. For several, use lastChangePeriod.');
  }
  if (period !== undefined && isOne) {
    throw refuse('lastChangePeriod is for several reports. For one, use lastChangeStart.');
  }
  if (start !== undefined && start > today) {
    throw refuse(`lastChangeStart is in the future: "${start}".`);
  }
  const changesFrom = period === undefined ? start : daysAfter(today, -period);
  return {
    reports: changesFrom === undefined ? wanted : amendable(wanted, bundle !== undefined),
    bundle,
    changedSince: changesFrom === undefined ? undefined : dayPeriod(changesFrom),
    changes: period ?? start,
    asAt: values.asAt,
    hasHeadings: values.headers ?? false,
  };
}

/** The text about a file `{report}.zip` that does not exist. */
export function unknownReportFile(file: string): string {
  const nearest = nearestName({ ...KNOWN_REPORTS, sent: file.replace(/\.\w*$/, '') });
  const zip = nearest && `${nearest}.zip`;
  return unknownName({ ...KNOWN_REPORTS, kind: 'report file', sent: file, nearest: zip });
}

/** Throws a FhirError that names the most similar report. */
export function knownReport(name: string, listedAt = KNOWN_REPORTS.listedAt): Report {
  const report = reportNamed(name);
  if (report !== undefined) return report;
  throw refuse(unknownName({ ...KNOWN_REPORTS, kind: 'report', sent: name, listedAt }));
}

/** A pack has only those of its reports that can be limited to changes. */
function amendable(reports: readonly Report[], isPack: boolean): readonly Report[] {
  const without = reports.filter((report) => report.isWithoutAmendments || !report.content);
  if (isPack || without.length === 0) return reports.filter((each) => !without.includes(each));
  const names = without.map(({ name }) => name).join(', ');
  throw refuse(
    `${names} cannot be limited to changes. Leave out the parameter of the last change.`,
  );
}
