/** `gazetteer search` and `gazetteer show`: look up organisations as the look-up page does. */
import { Readable } from 'node:stream';
import { sectionOf } from '../../config/section.ts';
import type { Config } from '../../config/settings.ts';
import { rolesMeant } from '../../directory/ask/role-words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { recordAt } from '../../directory/edition/edition-records.ts';
import { findRow } from '../../directory/edition/source-record.ts';
import { dayOf, inTime } from '../../directory/record/in-force.ts';
import { encodeJson } from '../../fhir/format/json.ts';
import type { ResourceObject } from '../../interfaces/answer/resource-parts.ts';
import { renderEdition } from '../../interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../../interfaces/served-faces.ts';
import { belongingOf } from '../../web/look-up/belonging.ts';
import { find, rowsWithCode } from '../../web/look-up/find.ts';
import { searchProblems, targetProblem } from '../../web/look-up/parameter-problems.ts';
import { SEARCH_FILTERS } from '../../web/matches/parameters.ts';
import { readState, readText, TYPED_LENGTH_MAX } from '../../web/matches/state.ts';
import { relationshipWords, rolesOf } from '../../web/parts/code-names.ts';
import { formatDate, formatPeriod } from '../../web/parts/display.ts';
import { type Command, type CommandContext, CommandError, UsageError } from '../parts/command.ts';
import { useEdition } from '../parts/open-store.ts';
import { LIMIT_OPTION, LINES_OPTION, STORE_SETTINGS, URI_SETTINGS } from '../parts/options.ts';
import { isForPeople, reportCut, tableText, writeOutput } from '../parts/output.ts';
import { optionsOf, textsOf } from '../parts/parameter-options.ts';

export const searchCommand: Command = {
  name: 'search',
  summary: 'Find organisations by name, town, postcode, role or code',
  examples: ['search leeds', 'search leeds --role 182 --limit 50', 'search --of QWO --role 177'],
  settings: [...STORE_SETTINGS, ...URI_SETTINGS],
  argument: {
    syntax: '[words...]',
    help: 'Words of a name, a town, a postcode, a role or a code, as on the look-up page',
  },
  options: [...optionsOf(SEARCH_FILTERS), LIMIT_OPTION, LINES_OPTION],
  run: async (context) => {
    const limit = Number(context.options.limit ?? 20);
    await useEdition(context.config, (edition) => search(edition, context, limit));
  },
};

export const showCommand: Command = {
  name: 'show',
  summary: 'Print the organisation with a code',
  examples: ['show RR8', 'show RR8 --json'],
  settings: [...STORE_SETTINGS, ...URI_SETTINGS],
  argument: { syntax: '<code>', help: 'The code, in capital or small letters' },
  options: [LINES_OPTION],
  run: async (context) => {
    const { config, streams } = context;
    const [code = ''] = context.arguments;
    await useEdition(config, (edition) => {
      const row = findRow(edition.index, code)?.row;
      if (row === undefined) {
        throw new CommandError(
          `There is no organisation with the code ${JSON.stringify(code)}. To search by name, use "gazetteer search".`,
        );
      }
      const text = isForPeople(context)
        ? tableText(fieldsOf(edition, row, dayOf(new Date())))
        : `${encodeJson(resourcesOf(edition, config)(row), { pretty: true })}\n`;
      streams.output.write(text);
    });
  },
};

async function search(edition: Edition, context: CommandContext, limit: number): Promise<void> {
  const { config, options, streams } = context;
  const text = textOf(context.arguments);
  const filters = textsOf(SEARCH_FILTERS, options);
  const parameters = new URLSearchParams({ ...(text !== '' && { q: text }), ...filters });
  if (parameters.size === 0) {
    throw new UsageError('Give words to search for, or an option such as --role pharmacy.');
  }
  const problems = searchProblems(edition, parameters);
  if (problems.length > 0) throw new UsageError(problems.join(' '));
  const state = readState(parameters, (role) => rolesMeant(edition, role));
  const belonging = await belongingOf(edition, state, dayOf(new Date()));
  const problem = targetProblem(edition, state, belonging);
  if (problem !== undefined) throw new UsageError(problem);
  const { groups } = find(edition, state, belonging);
  const found = [...rowsWithCode(edition, state, groups)];
  if (found.length === 0)
    throw new CommandError(`No organisation matches ${askedText(parameters)}.`);
  const rows = found.slice(0, limit);
  const resource = isForPeople(context) ? undefined : resourcesOf(edition, config);
  if (resource === undefined) {
    streams.output.write(tableText([HEADINGS, ...rows.map((row) => cellsOf(edition, row))]));
  } else {
    const lines = rows.values().map((row) => `${encodeJson(resource(row))}\n`);
    await writeOutput(Readable.from(lines), streams.output, context.stopped);
  }
  reportCut(streams, rows.length, found.length);
}

/** `"leeds"`, or with filters `q leeds, role 182`. */
function askedText(parameters: URLSearchParams): string {
  const pairs = [...parameters];
  const isText = pairs.length === 1 && parameters.has('q');
  if (isText) return JSON.stringify(parameters.get('q'));
  return pairs.map(([name, value]) => `${name} ${value}`).join(', ');
}

const HEADINGS = ['code', 'name', 'role', 'town', 'postcode', 'status'];

function cellsOf(edition: Edition, row: number): string[] {
  const { code, name, roles, address, isActive } = edition.rows.recordAt(row);
  const { mainOf, name: nameOf } = rolesOf(edition);
  const main = mainOf(roles);
  const role = main === undefined ? '' : nameOf(main);
  const { city = '', postalCode = '' } = address ?? {};
  return [code, name ?? 'No name', role, city, postalCode, statusOf(isActive)];
}

/** The name and the value of each field, without those that the organisation does not have. */
function fieldsOf(edition: Edition, row: number, today: string): string[][] {
  const record = edition.rows.recordAt(row);
  const { code, name = 'No name', isActive, roles, periods, address, telecoms } = record;
  const { lines = [], city, district, postalCode, country } = address ?? {};
  const parts = [...lines, city, district, postalCode, country];
  const place = parts.filter((part) => part !== undefined).join(', ');
  return [
    ['code', code],
    ['name', name],
    ['status', statusOf(isActive)],
    ...roles.map((role) => ['role', `${rolesOf(edition).name(role.code)} (RO${role.code})`]),
    ...(place === '' ? [] : [['address', place]]),
    ...telecoms.map(({ system, value }) => [system, value]),
    ...periods.map((period) => [`${period.kind.toLowerCase()} period`, formatPeriod(period)]),
    ...belongingFields(edition, row, today),
    ['last updated', formatDate(record.lastUpdated)],
  ];
}

function statusOf(isActive: boolean): string {
  return isActive ? 'active' : 'inactive';
}

/** What the organisation belongs to on the day. */
function belongingFields(edition: Edition, row: number, today: string): string[][] {
  const { links } = edition;
  const { first, end } = links.ofRow(row);
  const all = Array.from({ length: end - first }, (_, i) => links.at(first + i));
  return all
    .filter((relationship) => inTime(relationship, today).phase === 'now')
    .map(({ type, target: { code, row: at } }) => {
      const name = at === undefined ? undefined : recordAt(edition, at).name;
      return [
        relationshipWords(edition, type).toLowerCase(),
        name === undefined ? code : `${name} (${code})`,
      ];
    });
}

/** Writes resources as `gazetteer export` does. */
function resourcesOf(edition: Edition, config: Config): (row: number) => ResourceObject {
  return renderEdition(DIRECTORY_FACES[0], edition, sectionOf(config, 'directory')).organizationAt;
}

function textOf(words: readonly string[]): string {
  const written = words.join(' ');
  if (written.length > TYPED_LENGTH_MAX) {
    throw new UsageError(
      `A search can have ${TYPED_LENGTH_MAX} characters. Got ${written.length}. Search for fewer words or codes at a time.`,
    );
  }
  return readText(written);
}
