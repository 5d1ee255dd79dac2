/** The tables of the page about reports, from the table of reports and the columns of their layouts. */
import { REPORT_PARAMETERS } from '../src/interfaces/reports/csv/parameters.ts';
import type { Organisations, Report, Roles } from '../src/interfaces/reports/csv/report.ts';
import { REPORT_BUNDLES, REPORTS } from '../src/interfaces/reports/csv/report-table.ts';
import { COMMON_COLUMNS, STANDARD_COLUMNS } from '../src/interfaces/reports/csv/standard-layout.ts';

export function reportParameterRows(): string[][] {
  return Object.entries(REPORT_PARAMETERS).map(([name, { documentation }]) => [
    code(name),
    documentation,
  ]);
}

/** A row for each report that the release has data for. */
export function reportRows(): string[][] {
  return inRelease().map(({ name, title, content }) => {
    const { layout, organisations } = content;
    const columns = layout.standard?.columns;
    const listed = organisations === undefined ? 'all records' : organisationsText(organisations);
    return [
      code(name),
      columns === undefined ? '[its own](#other-layouts)' : rangesText(columns),
      `${title}: ${listed}`,
    ];
  });
}

/** The columns that every report fills, and the types of the relationship to the parent. */
export function reportFacts(): string {
  const withParent = inRelease().filter(
    ({ content }) => content.layout.standard?.parent !== undefined,
  );
  const byTypes = Map.groupBy(withParent, ({ content }) =>
    (content.layout.standard?.parent ?? []).map((type) => code(`RE${type}`)).join(', '),
  );
  const [[usual = ''] = [], ...others] = [...byTypes].sort(([, a], [, b]) => b.length - a.length);
  const except = others.map(
    ([types, reports]) => `in ${reports.map(({ name }) => code(name)).join(', ')} ${types}`,
  );
  return `Every report also fills the columns ${rangesText(COMMON_COLUMNS)}. The relationship to the parent is the first in force of the types ${usual}; ${except.join('; ')}. ${WITHOUT_PARENT}`;
}

const WITHOUT_PARENT =
  'If no relationship is in force, it is the last that ended, or else the next that begins. A ' +
  'report as at a day leaves out relationships that begin after the day.';

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
      [
        value,
        ...(formerValue === undefined ? [] : [`in the former zip ${formerValue}`]),
        ...(unknown === undefined ? [] : [`not in the release: ${unknown}`]),
      ].join('; '),
    ]),
    [empty.join(', '), 'Null and the number', 'always empty'],
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
  const numbers = roles.flatMap((role) => (typeof role === 'string' ? Number(role) : []));
  const words = roles.flatMap((role) => (typeof role === 'string' ? [] : code(wordsOf(role))));
  const ranges = numbers.length === 0 ? [] : rangesText(numbers).split(', ');
  return [
    ...ranges.map((range) =>
      range
        .split('–')
        .map((number) => code(`RO${number}`))
        .join('–'),
    ),
    ...words,
  ].join(', ');
}

/** The words of an expression: `PRIVATE … CONTROLLED DRUG`. */
function wordsOf({ source }: RegExp): string {
  return source.replaceAll(/\^|\$|\\b/g, '').replaceAll('.*', ' … ');
}

function code(text: string): string {
  return `\`${text}\``;
}
