/** `gazetteer export`: writes the organisations that a search finds to a file. */
import { sectionOf } from '../../config/section.ts';
import { SOFTWARE } from '../../config/version.ts';
import { rolesMeant, unknownRole } from '../../directory/ask/role-words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { DirectoryQuery } from '../../directory/index/organization-index.ts';
import { dayOf } from '../../directory/record/in-force.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import { unknownName, unknownValue } from '../../fhir/request/unknown-name.ts';
import type { DirectorySettings } from '../../interfaces/answer/settings.ts';
import {
  exportMatches,
  findMatches,
  parseExportQuery,
} from '../../interfaces/faces/export-matches.ts';
import { renderEdition } from '../../interfaces/faces/rendered-edition.ts';
import { EXPORT_FORMATS, type ExportKind } from '../../interfaces/files/export-formats.ts';
import type { TableForm, TableSource } from '../../interfaces/files/tables/table.ts';
import { DIRECTORY_FACES } from '../../interfaces/served-faces.ts';
import { type Command, type CommandContext, CommandError, UsageError } from '../parts/command.ts';
import {
  EXPORT_OPTIONS,
  EXPORT_STOPPED,
  exportEdition,
  type WriteTo,
} from '../parts/edition-export.ts';
import { STORE_SETTINGS, URI_SETTINGS } from '../parts/options.ts';

const FORMATS = [...EXPORT_FORMATS.keys()];

export const exportCommand: Command = {
  name: 'export',
  summary:
    'Write the organisations that a search finds as NDJSON, a Bundle, CSV, a release, a report or tables',
  examples: [
    'export --format ndjson --output data/organisations.ndjson',
    'export name:contains=leeds active=true --format csv',
  ],
  settings: [...STORE_SETTINGS, 'baseUrl', 'directory.organizationProfile', ...URI_SETTINGS],
  argument: {
    syntax: '[name=value...]',
    help: 'Search parameters as in a URL, such as name:contains=leeds active=true (default: everything)',
  },
  options: [
    {
      syntax: '--format <format>',
      help: `The format: ${FORMATS.join(', ')}`,
    },
    {
      syntax: '--with <parts>',
      help: 'relationships: also write what organisations belong to, and their successions (csv)',
    },
    ...EXPORT_OPTIONS,
  ],
  whenStopped: EXPORT_STOPPED,
  run: runExport,
};

async function runExport(context: CommandContext): Promise<void> {
  const { config, options, arguments: words } = context;
  const kind = formatOf(options, words);
  const settings = sectionOf(config, 'directory');
  const baseUrl = config.baseUrl && config.baseUrl + FACE.pathOf(settings);
  // Reports mistakes before an edition is opened. Only `near` and roles need the edition.
  const others = words.filter((word) => !/^(near=|ods-org-)/.test(word));
  queryOf(others, settings, baseUrl, undefined);
  await exportEdition(context, (edition) => {
    const codes = words.map((word) => withRoleCodes(edition, word));
    const search = queryOf(codes, settings, baseUrl, edition.postcodes);
    const query = { criteria: [...search.criteria, ...(kind.criteria ?? [])] };
    if (kind.needsLinks === true && !edition.hasLinks) throw noRelationships(edition);
    const rendered = renderEdition(FACE, edition, settings);
    const matches = findMatches(edition, query, kind.hasReferences === true);
    const content = `${matches.rows.length.toLocaleString('en-GB')} organisations`;
    const { make } = kind;
    if (typeof make === 'string') {
      const source = { edition, ...matches, programVersion: SOFTWARE.version };
      return { content, writeTo: writeTablesTo(make, source) };
    }
    const today = dayOf(new Date());
    return { content, pieces: exportMatches(rendered, matches, make, baseUrl, today) };
  });
}

/** A role by its name or an everyday word becomes its codes. */
function withRoleCodes(edition: Edition, word: string): string {
  if (!word.startsWith(ROLE) || word.includes('|')) return word;
  const codes = word
    .slice(ROLE.length)
    .split(',')
    .flatMap((role) => {
      const found = /^(RO)?\d*$/.test(role) ? [role] : rolesMeant(edition, role);
      if (found.length === 0) throw new UsageError(unknownRole(edition, role));
      return found;
    });
  return ROLE + codes.join(',');
}

const ROLE = 'ods-org-role=';

/** Loads the packages that write such files only when there is one to write. */
function writeTablesTo(form: TableForm, source: TableSource): WriteTo {
  return async (path, stopped) => {
    const { writeTables } = await import('../../interfaces/files/tables/write-tables.ts');
    await writeTables(form, path, source, { stopped });
  };
}

/** Exports contain the resources of the first face. */
const [FACE] = DIRECTORY_FACES;

/** Throws one error that names every problem of the format and of the search. */
function formatOf(
  { format, with: parts, output }: CommandContext['options'],
  words: readonly string[],
): ExportKind {
  const kind = EXPORT_FORMATS.get(String(format));
  const isFile = typeof kind?.make === 'string';
  const problems = [
    formatProblem(format),
    partsProblem(parts, kind),
    isFile && output === undefined ? `--format ${format} needs --output FILE.` : undefined,
    parameterProblem(words),
  ];
  const found = problems.filter((problem) => problem !== undefined);
  if (kind === undefined || found.length > 0) throw new UsageError(found.join(' '));
  if (parts === undefined || kind.makeWithRelationships === undefined) return kind;
  return { ...kind, make: kind.makeWithRelationships, needsLinks: true };
}

function partsProblem(
  parts: string | boolean | undefined,
  kind: ExportKind | undefined,
): string | undefined {
  if (parts === undefined) return undefined;
  if (parts !== 'relationships') return `--with must be relationships. Got "${parts}".`;
  // A format that needs relationships always has them.
  if (kind === undefined || kind.makeWithRelationships !== undefined) return undefined;
  return kind.needsLinks === true
    ? undefined
    : '--with relationships needs --format csv. The format release-xml always has relationships.';
}

function formatProblem(format: string | boolean | undefined): string | undefined {
  if (EXPORT_FORMATS.has(String(format))) return undefined;
  const names = [...EXPORT_FORMATS.keys()].join(', ');
  return format === undefined
    ? `--format is missing. Use one of ${names}.`
    : unknownValue('--format', String(format), [...EXPORT_FORMATS.keys()], EXPORT_HELP);
}

function noRelationships({ number }: Edition): CommandError {
  return new CommandError(
    `Edition ${number} has no relationships, which this format needs. Import a release file again.`,
  );
}

function parameterProblem(words: readonly string[]): string | undefined {
  const word = words.find((each) => !each.includes('='));
  return word === undefined
    ? undefined
    : `"${word}" is not a search parameter. To search by name, use "name:contains=${word}".`;
}

function queryOf(
  words: readonly string[],
  settings: DirectorySettings,
  baseUrl: string | undefined,
  postcodes: Edition['postcodes'],
): DirectoryQuery {
  try {
    return parseExportQuery(words.join('&'), FACE, settings, baseUrl, () => postcodes);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    const problems = error.issues.map(({ diagnostics, hint, location }) => {
      const name = location?.replace(/^http\./, '');
      if (hint?.startsWith('Unknown ')) return unknownParameter(name ?? '');
      return name === undefined || diagnostics.includes(name)
        ? diagnostics
        : `${name}: ${diagnostics}`;
    });
    throw new UsageError(problems.join(' '));
  }
}

function unknownParameter(sent: string): string {
  const known = FACE.searchParameters
    .filter(({ isCriterion }) => isCriterion)
    .map(({ name }) => name);
  return unknownName({ kind: 'search parameter', sent, known, listedAt: EXPORT_HELP });
}

const EXPORT_HELP = '"gazetteer export --help"';
