/** The generated parts of the reference pages, by name: tables of settings, commands, metrics and so on. */
import type { CommandOption } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { STORE_SETTINGS, TRACE_SETTINGS, URI_SETTINGS } from '../src/cli/options.ts';
import { METRICS } from '../src/cli/serve/metrics.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import type { Setting } from '../src/config/setting.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { TABLES } from '../src/directory/export/tables/tables.ts';
import { serveOrd } from '../src/directory/ord/served-ord.ts';
import { ordRoutes } from '../src/directory/ord/service.ts';
import { AFFILIATION_PARAMETERS } from '../src/directory/r4/affiliation-search.ts';
import { R4_SEARCH_PARAMETERS } from '../src/directory/r4/parameters.ts';
import { ORGANIZATION_PROPERTIES } from '../src/directory/r4/terminology/organization-properties.ts';
import { terminologyTypes } from '../src/directory/r4/terminology/terminology.ts';
import { STU3_SEARCH_PARAMETERS } from '../src/directory/stu3/parameters.ts';
import { AUDIT_EVENT_SEARCH } from '../src/fhir/audit/audit-event.ts';
import { STYLE_PROPERTIES } from '../src/fhir/rules/narrative-safety.ts';
import type { SearchParameter } from '../src/fhir/search/parameter.ts';
import { resourceSearchDefinition } from '../src/fhir/search/resource-search.ts';
import { storedSearchOf } from '../src/order-response/search-parameters.ts';
import { CHAPTERS_BY_PART } from '../test/conformance/chapters.ts';
import { errorRows } from './reference-errors.ts';
import { foldFamilies } from './reference-families.ts';
import { logFieldRows, logProblemRows } from './reference-log.ts';
import {
  packRows,
  reportColumnRows,
  reportLayoutRows,
  reportParameterRows,
  reportRows,
  suppliedReportRows,
} from './reference-reports.ts';
import { scopeRows } from './reference-scopes.ts';
import { searchBodyRows, searchMemberRows } from './reference-searches.ts';
import { rangeOf, SETTING_DETAILS } from './reference-settings.ts';

/** The Markdown of a block: `metrics`, `settings log`, `command orders export`. */
export function blockOf(name: string): string {
  const [kind = '', ...rest] = name.split(' ');
  const block = BLOCKS[kind];
  if (block === undefined) throw new RangeError(`There is no generated block "${name}".`);
  return block(rest.join(' '));
}

const BLOCKS: Readonly<Record<string, (name: string) => string>> = {
  settings: settingsTable,
  command: commandText,
  'common-options': commonOptions,
  metrics: metricsTable,
  'log-fields': () => table(['field', 'lines', 'meaning'], logFieldRows()),
  'log-problems': () =>
    table(['code', 'level', 'message', 'meaning', 'what to do'], logProblemRows()),
  'search-parameters': searchParametersTable,
  'ord-paths': ordPathsTable,
  'ord-parameters': ordParametersTable,
  'report-parameters': () => table(['parameter', 'meaning'], reportParameterRows()),
  reports: () => table(['report', 'lists', 'organisations', 'columns', 'parent'], reportRows()),
  'supplied-reports': () => table(['report', 'lists'], suppliedReportRows()),
  'report-packs': () => table(['pack', 'reports'], packRows()),
  'report-columns': () => table(['column', 'heading', 'filled by', 'value'], reportColumnRows()),
  'report-layouts': () => table(['reports', 'headings'], reportLayoutRows()),
  'search-bodies': () => table(['member', 'search', 'meaning'], searchBodyRows()),
  'search-members': (object) =>
    table(['member', 'type', 'meaning'], foldFamilies(searchMemberRows(object))),
  operation: operationTable,
  'organisation-properties': organisationPropertiesTable,
  'analysis-tables': analysisTables,
  errors: () => table(['status', 'issue code', 'Spine code', 'when'], errorRows()),
  scopes: () => table(['scope', 'requests'], scopeRows()),
  conformance: conformanceText,
  'style-properties': () => [...STYLE_PROPERTIES].sort().map(code).join(', '),
};

/** A chapter on each table of the files for analysis. */
function analysisTables(): string {
  return TABLES.map(({ name, description, columns, primaryKey, organisationColumn }) => {
    const rows = columns.map(({ name, type, description, isRequired }) => [
      code(name),
      isRequired ? `${type}, never empty` : type,
      description,
    ]);
    const primary = primaryKey.length === 0 ? [] : [`Key: ${primaryKey.map(code).join(', ')}.`];
    const foreign =
      organisationColumn === undefined
        ? []
        : [`Every ${code(organisationColumn)} has a row in ${code('organisation')}.`];
    const text = [description, ...primary, ...foreign].join(' ');
    return `### ${code(name)}\n\n${text}\n\n${table(['column', 'type', 'meaning'], foldFamilies(rows))}`;
  }).join('\n\n');
}

/** The settings of some sections, such as `log metrics`; without a section, those without a dot. */
function settingsTable(sections: string): string {
  const wanted = sections.split(' ');
  const rows = Object.entries(SETTINGS)
    .filter(([path]) => wanted.includes(path.includes('.') ? (path.split('.')[0] ?? '') : ''))
    .map(([path, setting]: [string, Setting]) => [
      code(path),
      valuesText(setting),
      defaultText(setting),
      meaning(path, setting),
    ]);
  if (rows.length === 0) throw new RangeError(`There are no settings "${sections}".`);
  const head = ['setting', 'values', 'default', 'meaning'];
  const isExplained = sections === EXPLAINED_ELSEWHERE;
  return isExplained
    ? table(
        head.slice(0, -1),
        rows.map((row) => row.slice(0, -1)),
      )
    : table(head, rows);
}

/** The section whose meanings are on a page of its own. */
const EXPLAINED_ELSEWHERE = 'limits';

function defaultText({ defaultValue, unset }: Setting): string {
  return defaultValue === undefined ? (unset ?? '') : code(String(defaultValue));
}

function valuesText({ argument, schema }: Setting): string {
  const choices = argument.split('|');
  const isPlain = /^(?:[A-Z]+|true\|false)$/.test(argument);
  return rangeOf(schema) ?? (isPlain ? '' : choices.map(code).join(', '));
}

function meaning(path: string, { help, isSecret }: Setting): string {
  const details = SETTING_DETAILS.get(path);
  const flag = isSecret === true ? ['There is no flag.'] : [];
  return [`${help}.`, ...(details === undefined ? [] : [details]), ...flag].join(' ');
}

/** The options of a command and its settings. `--help` has its examples too. */
function commandText(name: string): string {
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) throw new RangeError(`There is no command "${name}".`);
  const { argument, options = [], settings, summary } = command;
  const unused = Object.keys(SETTINGS).filter((path) => !settings.some((used) => used === path));
  const used =
    unused.length >= settings.length
      ? groupedSettings(settings)
      : unused.length === 0
        ? 'all'
        : `all except ${unused.map(code).join(', ')}`;
  const own = options.filter((one) => !isCommon(one));
  const common = options.filter(isCommon).map(({ syntax }) => code(syntax.split(' ')[0] ?? ''));
  const rows = [argument, ...own].flatMap((one) =>
    one === undefined ? [] : [`- ${code(one.syntax)}: ${one.help}.`],
  );
  return [
    `${summary}.`,
    ...(rows.length === 0 ? [] : [rows.join('\n')]),
    ...(common.length === 0 ? [] : [`[Common](#common-options): ${common.join(', ')}.`]),
    ...(used === '' ? [] : [`Settings: ${used}.`]),
  ].join('\n\n');
}

/** Options that many commands have, each with its meaning. */
function commonOptions(): string {
  const rows = ALL_OPTIONS.filter(isCommon).map(({ syntax, help }) => [code(syntax), `${help}.`]);
  return table(['option', 'meaning'], [...new Map(rows.map((row) => [String(row), row])).values()]);
}

const ALL_OPTIONS = COMMANDS.flatMap(({ options = [] }) => options);
const COMMON_MIN = 2;

function isCommon({ syntax, help }: CommandOption): boolean {
  const same = ALL_OPTIONS.filter((one) => one.syntax === syntax && one.help === help);
  return same.length >= COMMON_MIN;
}

/** Groups that many commands have, by the names that the top of the page explains. */
function groupedSettings(settings: readonly string[]): string {
  const whole = SETTING_GROUPS.filter(([, paths]) =>
    paths.every((path) => settings.includes(path)),
  );
  const grouped = new Set(whole.flatMap(([, paths]) => paths));
  return [
    ...whole
      .map(([name]) => name)
      .filter((name) => name !== 'data')
      .map((name) => `*${name}*`),
    ...settings.filter((path) => !grouped.has(path)).map(code),
  ].join(', ');
}

const SETTING_GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['data', STORE_SETTINGS],
  ['URIs', URI_SETTINGS],
  ['telemetry', TRACE_SETTINGS],
  ['fetches', Object.keys(SETTINGS).filter((path) => /^(?:trud|r4|ord|sync)\./.test(path))],
];

function metricsTable(): string {
  const rows = METRICS.map(({ name, type, labels, help }) => [
    code(labels.length === 0 ? name : `${name}{${labels.join(', ')}}`),
    type,
    help,
  ]);
  return table(['metric', 'type', 'meaning'], rows);
}

/** A table names the parameters that an earlier one of the same interface describes. */
function searchParametersTable(name: string): string {
  const parameters = SEARCH_PARAMETERS[name];
  if (parameters === undefined) throw new RangeError(`There are no parameters of "${name}".`);
  const rowsOf = (of: readonly SearchParameter[]) =>
    of.map(({ name, type, modifiers, documentation }) => [
      code(name),
      [type, ...modifiers.map((modifier) => code(`:${modifier}`))].join(', '),
      documentation,
    ]);
  const described = rowsOf(SEARCH_PARAMETERS[DESCRIBED_BY[name] ?? ''] ?? []).map(String);
  const all = rowsOf(parameters);
  const rows = all.filter((row) => !described.includes(String(row)));
  const others = all.filter((row) => !rows.includes(row)).map(([parameter]) => parameter);
  const text = table(['parameter', 'type, modifiers', 'meaning'], rows);
  return others.length === 0
    ? text
    : `${text}\n\nAs in a search of ${DESCRIBED_BY[name]}${LINKS[name] ?? ''}: ${others.join(', ')}.`;
}

const DESCRIBED_BY: Readonly<Record<string, string>> = {
  'R4 Organization': 'STU3 Organization',
  'R4 OrganizationAffiliation': 'R4 Organization',
  'DSTU2 AuditEvent': 'DSTU2 OrderResponse',
};

/** Where the earlier table is, if it is on another page. */
const LINKS: Readonly<Record<string, string>> = {
  'R4 Organization': ' ([parameters](search-parameters.md#parameters))',
  'DSTU2 AuditEvent': ' ([search](order-response-api.md#search))',
};

/** By FHIR version and type. */
const SEARCH_PARAMETERS: Readonly<Record<string, readonly SearchParameter[]>> = {
  'STU3 Organization': STU3_SEARCH_PARAMETERS,
  'R4 Organization': R4_SEARCH_PARAMETERS,
  'R4 OrganizationAffiliation': AFFILIATION_PARAMETERS,
  'DSTU2 OrderResponse': resourceSearchDefinition(storedSearchOf('OrderResponse')).parameters,
  'DSTU2 AuditEvent': resourceSearchDefinition(AUDIT_EVENT_SEARCH).parameters,
};

function ordPathsTable(): string {
  const rows = ORD_ROUTES.map(({ path, parameters, summary }) => [
    code(`GET {ord}/${path}`),
    parameters.map(({ name }) => code(name)).join(', '),
    summary,
  ]);
  return table(['request', 'parameters', 'answer'], rows);
}

/** Each parameter once. */
function ordParametersTable(): string {
  const parameters = ORD_ROUTES.flatMap((route) => route.parameters);
  const byName = new Map(parameters.map(({ name, documentation }) => [name, documentation]));
  const rows = Array.from(byName, ([name, documentation]) => [code(name), documentation]);
  return table(['parameter', 'meaning'], rows);
}

const ORD_ROUTES = ordRoutes(
  serveOrd('', {
    editions: { current: () => undefined, byNumber: () => undefined },
    today: () => '',
    program: '',
  }),
);

/** The parameters of an operation of the R4 face, such as `lookup`. */
function operationTable(name: string): string {
  const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
  const operation = terminologyTypes(settings)
    .flatMap((type) => ('operations' in type ? (type.operations ?? []) : []))
    .find((one) => one.name === `$${name}`);
  if (operation === undefined) throw new RangeError(`There is no operation "$${name}".`);
  const rows = operation.parameters.map(
    ({ name: parameter, type, isRepeatable, documentation }) => [
      code(parameter),
      type,
      isRepeatable === true ? `${documentation} Can be repeated.` : documentation,
    ],
  );
  return table(['parameter', 'type', 'meaning'], foldFamilies(rows));
}

function organisationPropertiesTable(): string {
  const rows = ORGANIZATION_PROPERTIES.map((property) => [
    code(property.code),
    property.type,
    property.description,
  ]);
  return table(['property', 'type', 'meaning'], foldFamilies(rows));
}

/** Where a part deviates from FHIR, or chooses what FHIR leaves open. */
function conformanceText(part: string): string {
  const chapters = CHAPTERS_BY_PART[part];
  if (chapters === undefined) throw new RangeError(`There are no chapters about "${part}".`);
  return chapters
    .flatMap(({ statements }) => statements.flatMap(({ choice }) => choice ?? []))
    .map((choice) => `- ${choice}`)
    .join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
