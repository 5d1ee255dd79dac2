/** The query of `GET /api/getReport`. */

import { dayPeriod, daysAfter } from '../../../directory/record/day.ts';
import { nearestName, unknownName, unknownValue } from '../../../fhir/request/unknown-name.ts';
import type { DatePeriod } from '../../../fhir/search/date.ts';
import {
  type DescribedParameter,
  dayNamed,
  OPENAPI,
  readParameters,
  refuse,
} from '../../json/json-parameters.ts';
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

export const REPORT_PARAMETERS: readonly DescribedParameter[] = [
  { name: 'report', documentation: 'The name of a report, or several separated by commas.' },
  {
    name: 'reportBundle',
    documentation: 'A pack of reports, in place of `report`.',
    schema: { type: 'string', enum: Object.keys(REPORT_BUNDLES) },
  },
  {
    name: 'lastChangeStart',
    documentation:
      'Only organisations that changed on this day or later: `YYYY-MM-DD`. For one report.',
    schema: { type: 'string', format: 'date' },
  },
  {
    name: 'lastChangePeriod',
    documentation:
      'Only organisations that changed in the last 7, 30 or 90 days. For several reports.',
    schema: { type: 'integer', enum: [7, 30, 90] },
  },
  {
    name: 'headers',
    documentation: '`true`: the first line has the headings of the columns.',
    schema: { type: 'boolean' },
  },
  {
    name: 'asAt',
    documentation: 'The day that the report shows, if not today: `YYYY-MM-DD`.',
    schema: { type: 'string', format: 'date' },
  },
];

const NAMES = REPORT_PARAMETERS.map(({ name }) => name);

/** Throws a FhirError with the first problem. `today` is the date in England, `YYYY-MM-DD`. */
export function parseReportQuery(query: string, today: string): ReportRequest {
  const { values } = readParameters(query, NAMES);
  const { report: names, reportBundle: bundle } = values;
  if (names !== undefined && bundle !== undefined) {
    throw refuse('Use report or reportBundle, not both.');
  }
  const wanted = bundle === undefined ? reportsOf(names) : bundleOf(bundle);
  const isOne = bundle === undefined && wanted.length === 1;
  const start = values.lastChangeStart;
  const period = values.lastChangePeriod;
  if (start !== undefined && !isOne) {
    throw refuse('lastChangeStart is for one report. For several, use lastChangePeriod.');
  }
  if (period !== undefined && isOne) {
    throw refuse('lastChangePeriod is for several reports. For one, use lastChangeStart.');
  }
  if (period !== undefined && !/^(7|30|90)$/.test(period)) {
    throw refuse(`lastChangePeriod must be 7, 30 or 90. Got "${period}".`);
  }
  if (start !== undefined && dayNamed('lastChangeStart', start) && start > today) {
    throw refuse(`lastChangeStart is in the future: "${start}".`);
  }
  const changesFrom = period === undefined ? start : daysAfter(today, -Number(period));
  const reports = changesFrom === undefined ? wanted : amendable(wanted, bundle !== undefined);
  const asAt = values.asAt;
  if (asAt !== undefined) dayNamed('asAt', asAt);
  const headings = values.headers ?? 'false';
  if (!/^(true|false)$/.test(headings)) {
    throw refuse(`headers must be true or false. Got "${headings}".`);
  }
  return {
    reports,
    bundle,
    changedSince: changesFrom === undefined ? undefined : dayPeriod(changesFrom),
    changes: period === undefined ? start : Number(period),
    asAt,
    hasHeadings: headings === 'true',
  };
}

function reportsOf(text = ''): readonly Report[] {
  // The text of the national service.
  if (text === '') throw refuse('Missing report query parameter');
  return [...new Set(text.split(','))].map((name) => knownReport(name));
}

const KNOWN_REPORTS = {
  known: REPORTS.map(({ name }) => name),
  listedAt: 'the page /reports or "gazetteer report --list"',
};

/** The text about a file `{report}.zip` that does not exist. */
export function unknownReportFile(file: string): string {
  const nearest = nearestName({ ...KNOWN_REPORTS, sent: file.replace(/\.\w*$/, '') });
  const zip = nearest && `${nearest}.zip`;
  return unknownName({ ...KNOWN_REPORTS, kind: 'report file', sent: file, nearest: zip });
}

/** Throws a FhirError that names the most similar report. */
export function knownReport(name: string): Report {
  const report = reportNamed(name);
  if (report !== undefined) return report;
  throw refuse(unknownName({ ...KNOWN_REPORTS, kind: 'report', sent: name }));
}

function bundleOf(name: string): readonly Report[] {
  const names = Object.hasOwn(REPORT_BUNDLES, name) ? REPORT_BUNDLES[name] : undefined;
  if (names !== undefined) return names.map(knownReport);
  throw refuse(unknownValue('reportBundle', name, Object.keys(REPORT_BUNDLES), OPENAPI));
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
