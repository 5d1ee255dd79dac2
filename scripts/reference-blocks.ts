/** The generated parts of the reference pages, by name: tables of settings, commands, metrics and so on. */
import { COMMANDS } from '../src/cli/commands.ts';
import { STORE_SETTINGS, TRACE_SETTINGS, URI_SETTINGS } from '../src/cli/options.ts';
import { METRICS } from '../src/cli/serve/metrics.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import type { Setting } from '../src/config/setting.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { serveOrd } from '../src/directory/ord/served-ord.ts';
import { ordRoutes } from '../src/directory/ord/service.ts';
import { AFFILIATION_PARAMETERS } from '../src/directory/r4/affiliation-search.ts';
import { R4_SEARCH_PARAMETERS } from '../src/directory/r4/parameters.ts';
import { ORGANIZATION_PROPERTIES } from '../src/directory/r4/terminology/organization-properties.ts';
import { terminologyTypes } from '../src/directory/r4/terminology/terminology.ts';
import { STU3_SEARCH_PARAMETERS } from '../src/directory/stu3/parameters.ts';
import { AUDIT_EVENT_SEARCH } from '../src/fhir/audit/audit-event.ts';
import { STYLE_PROPERTIES } from '../src/fhir/rules/narrative-safety.ts';
import { resourceSearchDefinition } from '../src/fhir/search/resource-search.ts';
import type { SearchParameter } from '../src/fhir/search/search-request.ts';
import { storedSearchOf } from '../src/order-response/search-parameters.ts';
import { LOG_FIELDS } from '../src/server/operations/log-fields.ts';
import { LOG_PROBLEMS } from '../src/server/operations/log-problems.ts';
import { CHAPTERS } from '../test/conformance/chapters.ts';
import { errorRows } from './reference-errors.ts';
import {
  packRows,
  reportColumnRows,
  reportLayoutRows,
  reportParameterRows,
  reportRows,
  suppliedReportRows,
} from './reference-reports.ts';
import { scopeRows } from './reference-scopes.ts';

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
  metrics: metricsTable,
  'log-fields': logFieldsTable,
  'log-problems': logProblemsTable,
  'search-parameters': searchParametersTable,
  'ord-paths': ordPathsTable,
  'ord-parameters': ordParametersTable,
  'report-parameters': () => table(['parameter', 'meaning'], reportParameterRows()),
  reports: () => table(['report', 'lists', 'organisations', 'columns', 'parent'], reportRows()),
  'supplied-reports': () => table(['report', 'lists'], suppliedReportRows()),
  'report-packs': () => table(['pack', 'reports'], packRows()),
  'report-columns': () =>
    table(
      ['column', 'heading', 'filled by', 'value', 'value in the former zip', 'not in the release'],
      reportColumnRows(),
    ),
  'report-layouts': () => table(['reports', 'headings'], reportLayoutRows()),
  operation: operationTable,
  'organisation-properties': organisationPropertiesTable,
  errors: () => table(['status', 'issue code', 'Spine code', 'when'], errorRows()),
  scopes: () => table(['scope', 'requests'], scopeRows()),
  conformance: conformanceText,
  'style-properties': () => [...STYLE_PROPERTIES].sort().map(code).join(', '),
};

/** The settings of one section, such as `log`; without a section, those without a dot. */
function settingsTable(section: string): string {
  const rows = Object.entries(SETTINGS)
    .filter(([path]) => (path.includes('.') ? path.split('.')[0] : '') === section)
    .map(([path, setting]: [string, Setting]) => [
      code(path),
      valuesText(setting),
      defaultText(setting),
      meaning(setting),
    ]);
  if (rows.length === 0) throw new RangeError(`There are no settings "${section}".`);
  return table(['setting', 'values', 'default', 'meaning'], rows);
}

function defaultText({ defaultValue, unset }: Setting): string {
  return defaultValue === undefined ? (unset ?? 'none') : code(String(defaultValue));
}

function valuesText({ argument, range }: Setting): string {
  return range ?? argument.split('|').map(code).join(', ');
}

function meaning({ help, details, isSecret }: Setting): string {
  const flag = isSecret === true ? ['There is no flag.'] : [];
  return [`${help}.`, ...(details === undefined ? [] : [details]), ...flag].join(' ');
}

/** The options of a command, its settings and examples. */
function commandText(name: string): string {
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) throw new RangeError(`There is no command "${name}".`);
  const { argument, examples, options = [], settings, summary } = command;
  const unused = Object.keys(SETTINGS).filter((path) => !settings.some((used) => used === path));
  const used =
    unused.length >= settings.length
      ? groupedSettings(settings)
      : unused.length === 0
        ? 'all'
        : `all except ${unused.map(code).join(', ')}`;
  const rows = [argument, ...options].flatMap((one) =>
    one === undefined ? [] : [`- ${code(one.syntax)}: ${one.help}.`],
  );
  return [
    `${summary}.`,
    ...(rows.length === 0 ? [] : [rows.join('\n')]),
    ...(used === '' ? [] : [`Settings: ${used}.`]),
    `\`\`\`text\n${examples.map((words) => `gazetteer ${words}`).join('\n')}\n\`\`\``,
  ].join('\n\n');
}

/** Groups that many commands have, by the names that the top of the page explains. */
function groupedSettings(settings: readonly string[]): string {
  const whole = SETTING_GROUPS.filter(([, paths]) =>
    paths.every((path) => settings.includes(path)),
  );
  const grouped = new Set(whole.flatMap(([, paths]) => paths));
  return [
    ...whole.map(([name]) => `*${name}*`),
    ...settings.filter((path) => !grouped.has(path)).map(code),
  ].join(', ');
}

const SETTING_GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['data', STORE_SETTINGS],
  ['URIs', URI_SETTINGS],
  ['telemetry', TRACE_SETTINGS],
];

function metricsTable(): string {
  const rows = METRICS.map(({ name, type, labels, help }) => [
    code(name),
    type,
    labels.map(code).join(', ') || 'none',
    help,
  ]);
  return table(['metric', 'type', 'labels', 'meaning'], rows);
}

function logFieldsTable(): string {
  const rows = Object.entries(LOG_FIELDS).map(([name, { lines, meaning }]) => [
    code(name),
    lines,
    meaning,
  ]);
  return table(['field', 'lines', 'meaning'], rows);
}

function logProblemsTable(): string {
  const rows = Object.entries(LOG_PROBLEMS).map(([name, { level, message, meaning, remedy }]) => [
    code(name),
    level,
    code(message),
    meaning,
    remedy,
  ]);
  return table(['code', 'level', 'message', 'meaning', 'what to do'], rows);
}

/** A table names the parameters that an earlier one of the same interface describes. */
function searchParametersTable(name: string): string {
  const parameters = SEARCH_PARAMETERS[name];
  if (parameters === undefined) throw new RangeError(`There are no parameters of "${name}".`);
  const rowsOf = (of: readonly SearchParameter[]) =>
    of.map(({ name, type, modifiers, documentation }) => [
      code(name),
      type,
      modifiers.map((modifier) => code(`:${modifier}`)).join(', ') || 'none',
      documentation,
    ]);
  const described = rowsOf(SEARCH_PARAMETERS[DESCRIBED_BY[name] ?? ''] ?? []).map(String);
  const all = rowsOf(parameters);
  const rows = all.filter((row) => !described.includes(String(row)));
  const others = all.filter((row) => !rows.includes(row)).map(([parameter]) => parameter);
  const text = table(['parameter', 'type', 'modifiers', 'meaning'], rows);
  return others.length === 0
    ? text
    : `${text}\n\nAs in a search of ${DESCRIBED_BY[name]}: ${others.join(', ')}.`;
}

const DESCRIBED_BY: Readonly<Record<string, string>> = {
  'R4 OrganizationAffiliation': 'R4 Organization',
  'DSTU2 AuditEvent': 'DSTU2 OrderResponse',
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
  return table(['parameter', 'type', 'meaning'], rows);
}

function organisationPropertiesTable(): string {
  const rows = ORGANIZATION_PROPERTIES.map((property) => [
    code(property.code),
    property.type,
    property.description,
  ]);
  return table(['property', 'type', 'meaning'], rows);
}

/** All chapters. Where no test shows a rule, the reason stands beside it. */
function conformanceText(): string {
  return CHAPTERS.map(({ title, statements }) => {
    const rules = statements.map(({ level, rule, evidence }) => {
      const reason = typeof evidence === 'string' ? ` ${evidence}` : '';
      return `- ${level === 'should' ? '*Should:* ' : ''}${rule}${reason}`;
    });
    return `## ${title}\n\n${rules.join('\n')}`;
  }).join('\n\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
