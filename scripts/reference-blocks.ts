/** The generated parts of the reference pages, by name: lists of settings, commands, metrics and so on. */

import { COMMANDS } from '../src/cli/commands.ts';
import type { Command, CommandOption } from '../src/cli/parts/command.ts';
import { METRICS } from '../src/cli/serve/monitoring/metrics.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import type { Setting } from '../src/config/settings/setting.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { AUDIT_EVENT_SEARCH } from '../src/fhir/audit/audit-event.ts';
import { STYLE_PROPERTIES } from '../src/fhir/rules/narrative-safety.ts';
import type { SearchParameter } from '../src/fhir/search/parameter.ts';
import { resourceSearchDefinition } from '../src/fhir/search/resource-search.ts';
import { TABLES } from '../src/interfaces/files/tables/tables.ts';
import { serveOrd } from '../src/interfaces/ord/served-ord.ts';
import { ordEndpoints } from '../src/interfaces/ord/service.ts';
import { AFFILIATION_PARAMETERS } from '../src/interfaces/r4/resources/affiliation-search.ts';
import { R4_SEARCH_PARAMETERS } from '../src/interfaces/r4/resources/parameters.ts';
import { r4CodeSystems } from '../src/interfaces/r4/terminology/code-systems.ts';
import { terminologyTypes } from '../src/interfaces/r4/terminology/terminology.ts';
import { STU3_SEARCH_PARAMETERS } from '../src/interfaces/stu3/parameters.ts';
import { storedSearchOf } from '../src/orders/order-response/search-parameters.ts';
import { CHAPTERS_BY_PART } from '../test/conformance/chapters.ts';
import { roomList, roomPicture } from './house-picture.ts';
import { COMMAND_NOTES } from './reference-commands.ts';
import { errorRows } from './reference-errors.ts';
import { foldFamilies } from './reference-families.ts';
import { logFieldRows, logProblemRows } from './reference-log.ts';
import { lookUpParameterRows } from './reference-pages.ts';
import {
  packRows,
  reportColumnRows,
  reportFacts,
  reportLayoutRows,
  reportParameterRows,
  reportRows,
  suppliedReportRows,
} from './reference-reports.ts';
import { routesText } from './reference-routes.ts';
import { scopeRows } from './reference-scopes.ts';
import { searchBodyRows, searchMemberRows } from './reference-searches.ts';
import { rangeOf, SETTING_DETAILS } from './reference-settings.ts';
import { toolRows } from './reference-tools.ts';

/** The Markdown of a block: `metrics`, `settings log`, `command orders export`. */
export function blockOf(name: string): string {
  const [kind = '', ...rest] = name.split(' ');
  const block = BLOCKS[kind];
  if (block === undefined) throw new RangeError(`There is no generated block "${name}".`);
  return block(rest.join(' '));
}

const BLOCKS: Readonly<Record<string, (name: string) => string>> = {
  settings: settingsList,
  commands: () => COMMANDS.map(commandText).join('\n\n'),
  'common-options': commonOptions,
  metrics: metricsList,
  'log-fields': () => list(logFieldRows()),
  'log-problems': () => list(logProblemRows()),
  'search-parameters': searchParametersList,
  'ord-paths': ordPathsList,
  'ord-parameters': ordParametersList,
  'report-parameters': () => list(reportParameterRows()),
  reports: () => `${list(reportRows())}\n\n${reportFacts()}`,
  'supplied-reports': () => list(suppliedReportRows()),
  'report-packs': () => list(packRows()),
  'report-columns': () => list(reportColumnRows()),
  'report-layouts': () => list(reportLayoutRows()),
  'search-bodies': () => list(searchBodyRows()),
  'search-members': (object) => list(foldFamilies(searchMemberRows(object))),
  operation: operationList,
  'look-up-parameters': () => list(lookUpParameterRows()),
  'code-properties': codePropertiesList,
  'analysis-tables': analysisTables,
  errors: () => list(errorRows()),
  scopes: () => list(scopeRows()),
  conformance: conformanceText,
  rooms: roomPicture,
  'room-list': roomList,
  routes: routesText,
  tools: () => list(toolRows()),
  'style-properties': () => [...STYLE_PROPERTIES].sort().map(code).join(', '),
};

/** A chapter on each table of the files for analysis. */
function analysisTables(): string {
  return TABLES.map(({ name, description, columns, primaryKey, organisationColumn }) => {
    const rows = columns.map(({ name, type, description, isRequired }) => [
      code(name),
      isRequired ? `${type}, required` : type,
      description,
    ]);
    const primary = primaryKey.length === 0 ? [] : [`Key: ${primaryKey.map(code).join(', ')}.`];
    const foreign =
      organisationColumn === undefined
        ? []
        : [`Every ${code(organisationColumn)} has a row in ${code('organisation')}.`];
    const text = [description, ...primary, ...foreign].join(' ');
    return `### ${code(name)}\n\n${text}\n\n${list(foldFamilies(rows))}`;
  }).join('\n\n');
}

/** The settings of some sections, such as `log metrics`; without a section, those without a dot. */
function settingsList(sections: string): string {
  const wanted = sections.split(' ');
  const rows = Object.entries(SETTINGS)
    .filter(([path]) => wanted.includes(path.includes('.') ? (path.split('.')[0] ?? '') : ''))
    .map(([path, setting]: [string, Setting]) => {
      const facts = [valuesText(setting), defaultText(setting)].filter((fact) => fact !== '');
      const text = meaning(path, setting);
      return sections === EXPLAINED_ELSEWHERE
        ? [code(path), `${facts.join('; ')}.`]
        : [code(path), facts.join('; '), text];
    });
  if (rows.length === 0) throw new RangeError(`There are no settings "${sections}".`);
  return list(rows);
}

/** The section whose meanings are on a page of its own. */
const EXPLAINED_ELSEWHERE = 'limits';

function defaultText({ defaultValue, unset }: Setting): string {
  if (defaultValue !== undefined) return `default ${code(String(defaultValue))}`;
  return unset === undefined ? '' : `default: ${unset}`;
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

/** The chapter on a command. `--help` has its settings and examples too. */
function commandText({ name, argument, options = [], summary }: Command): string {
  const all = [...(argument === undefined ? [] : [argument]), ...options];
  const common = all
    .filter(isCommon)
    .map(({ syntax }) => code(syntax.replace(/^(--\S+) .*/, '$1')));
  const rows = all
    .filter((one) => !isCommon(one))
    .map(({ syntax, help }) => [code(syntax), `${help}.`]);
  const notes = COMMAND_NOTES.get(name);
  return [
    `## \`gazetteer ${name}\``,
    `${summary}.`,
    ...(rows.length === 0 ? [] : [list(rows)]),
    ...(common.length === 0 ? [] : [`[Common](#common-options): ${common.join(', ')}.`]),
    ...(notes === undefined ? [] : [notes]),
  ].join('\n\n');
}

/** Options and arguments that many commands have, each with its meaning. */
function commonOptions(): string {
  const rows = ALL_OPTIONS.filter(isCommon).map(({ syntax, help }) => [code(syntax), `${help}.`]);
  return list([...new Map(rows.map((row) => [String(row), row])).values()]);
}

const ALL_OPTIONS = COMMANDS.flatMap(({ argument, options = [] }) => [
  ...(argument === undefined ? [] : [argument]),
  ...options,
]);
const COMMON_MIN = 2;

function isCommon({ syntax, help }: Pick<CommandOption, 'syntax' | 'help'>): boolean {
  const same = ALL_OPTIONS.filter((one) => one.syntax === syntax && one.help === help);
  return same.length >= COMMON_MIN;
}

function metricsList(): string {
  const rows = METRICS.map(({ name, labels, help }) => [
    code(labels.length === 0 ? name : `${name}{${labels.join(', ')}}`),
    help,
  ]);
  return list(rows);
}

/** A list names the parameters that an earlier one of the same interface describes. */
function searchParametersList(name: string): string {
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
  const text = list(rows);
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
  'DSTU2 AuditEvent': ' ([search](order-response-search.md))',
};

/** By FHIR version and type. */
const SEARCH_PARAMETERS: Readonly<Record<string, readonly SearchParameter[]>> = {
  'STU3 Organization': STU3_SEARCH_PARAMETERS,
  'R4 Organization': R4_SEARCH_PARAMETERS,
  'R4 OrganizationAffiliation': AFFILIATION_PARAMETERS,
  'DSTU2 OrderResponse': resourceSearchDefinition(storedSearchOf('OrderResponse')).parameters,
  'DSTU2 AuditEvent': resourceSearchDefinition(AUDIT_EVENT_SEARCH).parameters,
};

function ordPathsList(): string {
  const rows = ORD_ENDPOINTS.map(({ path, summary }) => [code(`GET {ord}/${path}`), summary]);
  return list(rows);
}

/** Each parameter once. */
function ordParametersList(): string {
  const all = ORD_ENDPOINTS.flatMap(({ parameters }) => Object.entries(parameters));
  const rows = Array.from(new Map(all), ([name, { documentation }]) =>
    documentation === undefined ? [] : [[code(name), documentation]],
  );
  return list(rows.flat());
}

const ORD_ENDPOINTS = ordEndpoints(
  serveOrd('', {
    editions: { current: () => undefined, byNumber: () => undefined },
    today: () => '',
    program: '',
  }),
);

/** The parameters of an operation of the R4 face, such as `CodeSystem lookup`. */
function operationList(path: string): string {
  const [typeName, name] = path.split(' ', 2);
  const settings = sectionOf(loadConfig({ flags: {}, environment: {} }), 'directory');
  const operation = terminologyTypes(settings)
    .flatMap((type) =>
      type.name === typeName && 'operations' in type ? (type.operations ?? []) : [],
    )
    .find((one) => one.name === `$${name}`);
  if (operation === undefined) throw new RangeError(`There is no operation "${path}".`);
  const rows = operation.parameters.map(
    ({ name: parameter, type, isRepeatable, documentation }) => [
      code(parameter),
      type,
      isRepeatable === true ? `${documentation} Can be repeated.` : documentation,
    ],
  );
  return list(foldFamilies(rows));
}

/** The properties that the codes of a code system of R4 have in every edition. */
function codePropertiesList(id: string): string {
  const system = r4CodeSystems({ organizationCodeSystem: '', sharePractitioners: true }).find(
    (each) => each.id === id,
  );
  if (system === undefined) throw new RangeError(`There is no code system "${id}".`);
  const rows = system.properties.map((each) => [code(each.code), each.type, each.description]);
  return list(foldFamilies(rows));
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

/** Items such as `- name (type): meaning`. A row has the name, further facts that can be empty, and the meaning. */
function list(rows: readonly (readonly string[])[]): string {
  return rows
    .map(([name = '', ...rest]) => {
      const facts = rest.slice(0, -1).filter((fact) => fact !== '');
      return `- ${name}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}: ${rest.at(-1)}`;
    })
    .join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
