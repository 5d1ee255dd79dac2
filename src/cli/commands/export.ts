/** `gazetteer export`: writes the organisations that a search finds to a file. */
import { Readable } from 'node:stream';
import { sectionOf } from '../../config/section.ts';
import { renderEdition } from '../../directory/answer/rendered-edition.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { EXPORT_FORMATS, type ExportKind } from '../../directory/export/export-formats.ts';
import {
  exportMatches,
  findMatches,
  parseExportQuery,
} from '../../directory/export/export-matches.ts';
import { DIRECTORY_FACES } from '../../directory/faces.ts';
import type { DirectoryQuery } from '../../directory/query.ts';
import type { DirectorySettings } from '../../directory/settings.ts';
import { dayOf } from '../../directory/time/in-force.ts';
import { FhirError } from '../../fhir/service/fhir-error.ts';
import { SOFTWARE } from '../../version.ts';
import { type Command, type CommandContext, CommandError, UsageError } from '../command.ts';
import { useEdition } from '../open-store.ts';
import { NUMBER_OF_EDITION, OUTPUT_OPTION, STORE_SETTINGS, URI_SETTINGS } from '../options.ts';
import { withFileErrors, writeFile, writeOutput } from '../output.ts';

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
    OUTPUT_OPTION,
    {
      syntax: '--edition <number>',
      help: 'The edition to write (default: the current one)',
      value: NUMBER_OF_EDITION,
    },
  ],
  run: runExport,
};

async function runExport({
  config,
  options,
  arguments: words,
  streams,
  stopped,
}: CommandContext): Promise<void> {
  const kind = formatOf(options, words);
  const settings = sectionOf(config, 'directory');
  const baseUrl = config.baseUrl && config.baseUrl + FACE.pathOf(settings);
  const search = queryOf(words.join('&'), settings, baseUrl);
  const query = { criteria: [...search.criteria, ...(kind.criteria ?? [])] };
  const write = async (edition: Edition): Promise<void> => {
    if (kind.needsRelations === true && !edition.hasRelations) throw noRelationships(edition);
    const rendered = renderEdition(FACE, edition, settings);
    const matches = findMatches(edition, query, kind.hasReferences === true);
    const { make } = kind;
    const file = typeof options.output === 'string' ? options.output : undefined;
    if (typeof make === 'string') {
      if (file === undefined) return;
      const { writeTables } = await import('../../directory/export/tables/write-tables.ts');
      const source = { edition, ...matches, programVersion: SOFTWARE.version };
      await withFileErrors(file, stopped, writeTables(make, file, source, { stopped }));
    } else {
      const today = dayOf(new Date());
      const bytes = Readable.from(exportMatches(rendered, matches, make, baseUrl, today), {
        objectMode: true,
        highWaterMark: 1,
      });
      if (file === undefined) return writeOutput(bytes, streams.output, stopped);
      await writeFile(bytes, file, stopped);
    }
    streams.output.write(wroteText(file, matches.rows.length, edition.number));
  };
  try {
    await useEdition(
      config,
      write,
      options.edition === undefined ? undefined : Number(options.edition),
    );
  } catch (error) {
    if (!stopped.aborted) throw error;
    throw new CommandError('The export was stopped.');
  }
}

/** Exports contain the resources of the first face. */
const [FACE] = DIRECTORY_FACES;

/** Throws one error that names every problem of the format and of the search. */
function formatOf(
  { format, with: parts, output }: CommandContext['options'],
  words: readonly string[],
): ExportKind {
  const kind = EXPORT_FORMATS.get(String(format));
  const problems = [
    formatProblem(format),
    partsProblem(parts, kind),
    // SQLite writes to any place in its file, which a stream cannot.
    typeof kind?.make === 'string' && output === undefined
      ? `--format ${format} needs --output FILE.`
      : undefined,
    parameterProblem(words),
  ];
  const found = problems.filter((problem) => problem !== undefined);
  if (kind === undefined || found.length > 0) throw new UsageError(found.join(' '));
  if (parts === undefined || kind.makeWithRelationships === undefined) return kind;
  return { ...kind, make: kind.makeWithRelationships, needsRelations: true };
}

function partsProblem(
  parts: string | boolean | undefined,
  kind: ExportKind | undefined,
): string | undefined {
  if (parts === undefined) return undefined;
  if (parts !== 'relationships') return `--with must be relationships. Got "${parts}".`;
  // A format that needs relationships always has them.
  if (kind === undefined || kind.makeWithRelationships !== undefined) return undefined;
  return kind.needsRelations === true
    ? undefined
    : '--with relationships needs --format csv. The format release-xml always has relationships.';
}

function formatProblem(format: string | boolean | undefined): string | undefined {
  if (EXPORT_FORMATS.has(String(format))) return undefined;
  const names = [...EXPORT_FORMATS.keys()].join(', ');
  return format === undefined
    ? `--format is missing. Use one of ${names}.`
    : `--format must be one of ${names}. Got "${format}".`;
}

function noRelationships({ number }: Edition): CommandError {
  return new CommandError(
    `Edition ${number} has no relationships, which this format needs. Import a release file again.`,
  );
}

function wroteText(file: string, total: number, edition: number): string {
  return `${file}: wrote ${total.toLocaleString('en-GB')} organisations of edition ${edition}.\n`;
}

function parameterProblem(words: readonly string[]): string | undefined {
  const word = words.find((each) => !each.includes('='));
  return word === undefined
    ? undefined
    : `"${word}" is not a search parameter. To search by name, use "name:contains=${word}".`;
}

function queryOf(
  text: string,
  settings: DirectorySettings,
  baseUrl: string | undefined,
): DirectoryQuery {
  try {
    return parseExportQuery(text, FACE, settings, baseUrl);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    const problems = error.issues.map(({ diagnostics, location }) => {
      const name = location?.replace(/^http\./, '');
      return name === undefined || diagnostics.includes(name)
        ? diagnostics
        : `${name}: ${diagnostics}`;
    });
    const isUnknown = problems.some((problem) => problem.startsWith('Unknown argument'));
    throw new UsageError(problems.join('; ') + (isUnknown ? `. Use one of ${NAMES}.` : ''));
  }
}

const NAMES = FACE.searchParameters
  .filter(({ isCriterion }) => isCriterion)
  .map(({ name }) => name)
  .join(', ');
