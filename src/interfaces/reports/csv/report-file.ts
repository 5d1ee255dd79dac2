/** A report as a file: its name, its bytes, and what they depend on. */

import { type Edition, LINKS_UNKNOWN_TEXT } from '../../../directory/edition/edition.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { ZippedFile } from '../../answer/zip-pieces.ts';
import { compactDate } from './facts.ts';
import type { Report } from './report.ts';
import { isSupplied, openSupplied, type ReportSupplies } from './supplied-reports.ts';
import { type ReportOptions, reportPieces } from './write-report.ts';

export interface ReportFile extends ZippedFile {
  /** Changes with the content, together with the edition, the dialect and the name of the file. */
  readonly tag: string;
}

/** Throws a FhirError if there is no data for the report. */
export function openReport(
  edition: Edition,
  report: Report,
  options: ReportOptions,
  supplies: ReportSupplies,
): ReportFile {
  const { today, asAt, hasHeadings, changedSince } = options;
  const { name, content, prefersFile = false } = report;
  const file = { name: `${name}${changesOf(options)}.csv` };
  if (content === undefined || (prefersFile && isSupplied(name, supplies))) {
    if (asAt !== undefined || hasHeadings) {
      const diagnostics = `The report ${name} is a file as the operator of the server supplied it: it has neither headers nor asAt.`;
      throw FhirError.of('invalid-parameter', diagnostics);
    }
    return { ...file, ...openSupplied(report, supplies) };
  }
  if (content.layout.needsLinks && !edition.hasLinks) {
    const reason = `The report ${name} needs relationships. ${LINKS_UNKNOWN_TEXT}`;
    throw FhirError.of('no-record', reason);
  }
  return {
    ...file,
    // The day decides which relationships and roles are in force.
    tag: JSON.stringify([asAt ?? today, asAt !== undefined, hasHeadings, changedSince]),
    pieces: () => reportPieces(edition, content, options),
  };
}

/** `_changes_20250301_to_20250424` */
function changesOf({ changedSince, today }: ReportOptions): string {
  if (changedSince === undefined) return '';
  const from = new Date(changedSince.start).toISOString();
  return `_changes_${compactDate(from)}_to_${compactDate(today)}`;
}
