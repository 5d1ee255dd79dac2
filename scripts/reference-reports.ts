/** The tables of the page about reports, from the table of reports and the columns of their layouts. */
import { REPORT_PARAMETERS } from '../src/directory/reports/parameters.ts';
import type { Organisations, Report, Roles } from '../src/directory/reports/report.ts';
import { REPORT_BUNDLES, REPORTS } from '../src/directory/reports/report-table.ts';
import { COMMON_COLUMNS, STANDARD_COLUMNS } from '../src/directory/reports/standard-layout.ts';

export function reportParameterRows(): string[][] {
  return REPORT_PARAMETERS.map(({ name, documentation }) => [code(name), documentation]);
}

/** A row for each report that the release has data for. */
export function reportRows(): string[][] {
  return inRelease().map(({ name, title, content }) => {
    const { layout, organisations } = content;
    const { columns, parent = [] } = layout.standard ?? { columns: undefined };
    return [
      code(name),
      title,
      organisations === undefined ? 'all records' : organisationsText(organisations),
      columns === undefined ? '[its own](#other-layouts)' : columns.join(', '),
      parent.map((type) => code(`RE${type}`)).join(', '),
    ];
  });
}

export function suppliedReportRows(): string[][] {
  return REPORTS.filter(({ content }) => content === undefined).map(({ name, title }) => [
    code(name),
    title,
  ]);
}

export function packRows(): string[][] {
  return Object.entries(REPORT_BUNDLES).map(([name, names]) => [
    code(name),
    names.map(code).join(', '),
  ]);
}

/** A row for each column. */
export function reportColumnRows(): string[][] {
  return STANDARD_COLUMNS.map(({ heading, value, formerValue, unknown }, at) => [
    String(at + 1),
    value === undefined ? `${heading} ${at + 1}` : heading,
    COMMON_COLUMNS.includes(at + 1) ? 'all' : value === undefined ? 'none' : 'some',
    value ?? 'always empty',
    formerValue ?? '',
    unknown ?? '',
  ]);
}

/** The headings of each layout that is not the standard one. Several reports can have the same. */
export function reportLayoutRows(): string[][] {
  const own = inRelease().filter(({ content }) => content.layout.standard === undefined);
  const byHeadings = Map.groupBy(own, ({ content }) => content.layout.headings.join(', '));
  return Array.from(byHeadings, ([headings, reports]) => [
    reports.map(({ name }) => code(name)).join(', '),
    headings,
  ]);
}

function inRelease() {
  return REPORTS.filter(
    (report): report is Required<Pick<Report, 'content'>> & Report => report.content !== undefined,
  );
}

function organisationsText({ primary, other }: Organisations): string {
  return [
    ...(primary === undefined ? [] : [rolesText(primary)]),
    ...(other === undefined ? [] : [`with ${rolesText(other)} besides the primary role`]),
  ].join(' ');
}

function rolesText(roles: Roles): string {
  return roles
    .map((role) => code(typeof role === 'string' ? `RO${role}` : wordsOf(role)))
    .join(', ');
}

/** The words of an expression: `PRIVATE … CONTROLLED DRUG`. */
function wordsOf({ source }: RegExp): string {
  return source.replaceAll(/\^|\$|\\b/g, '').replaceAll('.*', ' … ');
}

function code(text: string): string {
  return `\`${text}\``;
}
