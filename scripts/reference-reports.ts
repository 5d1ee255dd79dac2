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
      columns === undefined ? '[its own](#other-layouts)' : rangesText(columns),
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

/** `[13, 14, 15, 18]` as `13–15, 18`. */
function rangesText(numbers: readonly number[]): string {
  const starts = numbers.filter((number) => !numbers.includes(number - 1));
  return starts
    .map((start) => {
      let end = start;
      while (numbers.includes(end + 1)) end += 1;
      return end === start ? String(start) : `${start}${end === start + 1 ? ', ' : '–'}${end}`;
    })
    .join(', ');
}

/** A row for each column that has a value, and one for those without. */
export function reportColumnRows(): string[][] {
  const numbered = STANDARD_COLUMNS.map((column, at) => ({ ...column, number: at + 1 }));
  const filled = numbered.filter(({ value }) => value !== undefined);
  const empty = numbered.filter(({ value }) => value === undefined).map(({ number }) => number);
  return [
    ...filled.map(({ number, heading, value = '', formerValue, unknown }) => [
      String(number),
      heading,
      COMMON_COLUMNS.includes(number) ? 'all' : 'some',
      [
        value,
        ...(formerValue === undefined ? [] : [`in the former zip ${formerValue}`]),
        ...(unknown === undefined ? [] : [`not in the release: ${unknown}`]),
      ].join('; '),
    ]),
    [empty.join(', '), 'Null and the number', 'none', 'always empty'],
  ];
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
