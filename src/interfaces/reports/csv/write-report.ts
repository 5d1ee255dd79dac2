/** Finds the organisations of a report, and writes its lines. */

import type { Edition } from '../../../directory/edition/edition.ts';
import {
  type DirectoryCriterion,
  tokenCriterion,
} from '../../../directory/index/organization-index.ts';
import type { Concept } from '../../../directory/record/record.ts';
import type { DatePeriod } from '../../../fhir/search/date.ts';
import { quotedCsvLine } from '../../answer/csv-line.ts';
import { type ExportFormat, piecesOf } from '../../faces/export-matches.ts';
import type { Dialect, Organisations, Report, ReportContent, ReportView, Roles } from './report.ts';

export interface ReportOptions {
  readonly dialect: Dialect;
  /** `YYYY-MM-DD` */
  readonly today: string;
  /** The day that the client asks for, if not today. */
  readonly asAt?: string | undefined;
  /** Whether the first line has the headings of the columns. */
  readonly hasHeadings?: boolean;
  /** Only records that changed on this day or later. */
  readonly changedSince?: DatePeriod | undefined;
}

/** The bytes of a report. It needs memory for one piece of text. */
export function reportPieces(
  edition: Edition,
  content: ReportContent,
  options: ReportOptions,
): Generator<Buffer, void, undefined> {
  return piecesOf(
    reportFormat(edition, content, options),
    reportRows(edition, content, options.changedSince),
  );
}

export function reportFormat(
  edition: Edition,
  { layout }: ReportContent,
  { dialect, today, asAt, hasHeadings }: ReportOptions,
): ExportFormat {
  const day = asAt ?? today;
  const view: ReportView = { edition, dialect, day, isAsAt: asAt !== undefined };
  return {
    head: hasHeadings === true ? quotedCsvLine(layout.headings) : '',
    row: (row, writer) => {
      for (const cells of layout.lines(view, row)) writer.text(quotedCsvLine(cells));
    },
  };
}

/** The rows that the report has lines of, numbered as in `links`. */
function reportRows(
  edition: Edition,
  { organisations }: ReportContent,
  changedSince: ReportOptions['changedSince'],
): Iterable<number> {
  if (organisations === undefined) return Array(edition.links.rowCount).keys();
  const criteria = roleCriteria(organisations, edition);
  if (criteria === undefined) return [];
  if (changedSince !== undefined) {
    const values = [{ prefix: 'ge', ...changedSince } as const];
    criteria.push({ type: 'date', field: 'lastUpdated', values });
  }
  return edition.index.search({ criteria }, 0, edition.index.count).rows;
}

/** The number of organisations that a report is about. Undefined if its lines are something else. */
export function countOrganisations(edition: Edition, { content }: Report): number | undefined {
  if (content?.organisations === undefined || !content.layout.isOfOrganisations) return undefined;
  const criteria = roleCriteria(content.organisations, edition);
  return criteria === undefined ? 0 : edition.index.search({ criteria }, 0, 0).total;
}

/** Undefined if the edition has none of the roles, so that no organisation can match. */
function roleCriteria(
  { primary, other }: Organisations,
  { codeSystems }: Edition,
): DirectoryCriterion[] | undefined {
  const criterion = (field: 'primaryRole' | 'otherRole', roles: Roles | undefined) =>
    roles === undefined ? [] : [tokenCriterion(field, codesOf(roles, codeSystems.roles))];
  const criteria = [...criterion('primaryRole', primary), ...criterion('otherRole', other)];
  return criteria.some(({ values }) => values.length === 0) ? undefined : criteria;
}

function codesOf(roles: Roles, known: readonly Concept[]): readonly string[] {
  return roles.flatMap((role) =>
    typeof role === 'string'
      ? [role]
      : known.filter(({ display = '' }) => role.test(display)).map(({ code }) => code),
  );
}
