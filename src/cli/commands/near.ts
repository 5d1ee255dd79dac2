/** `gazetteer near`: the active organisations nearest to a postcode or a position. */

import type { Neighbour, Neighbours } from '../../directory/ask/answers.ts';
import { findNear } from '../../directory/ask/find-near.ts';
import { SEARCH_FILTERS } from '../../web/matches/parameters.ts';
import { rolesOf } from '../../web/parts/code-names.ts';
import { type Command, CommandError, UsageError } from '../parts/command.ts';
import { useEdition } from '../parts/open-store.ts';
import { LIMIT_OPTION, LINES_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { isForPeople, reportCut, tableText } from '../parts/output.ts';
import { optionOf } from '../parts/parameter-options.ts';

export const nearCommand: Command = {
  name: 'near',
  summary: 'List the active organisations nearest to a postcode or a position',
  examples: ['near "LS1 4AP" --role 182 --limit 5', 'near 53.79,-1.55 --within 5 --json'],
  settings: STORE_SETTINGS,
  argument: {
    syntax: '<place...>',
    help: 'A postcode, or a latitude, a comma and a longitude',
  },
  options: [
    optionOf('role', SEARCH_FILTERS.role),
    {
      syntax: '--within <kilometres>',
      help: 'The greatest distance in kilometres (default: 1000)',
      value: { is: (text) => /^\d+(\.\d+)?$/.test(text), name: 'a number of kilometres' },
    },
    LIMIT_OPTION,
    LINES_OPTION,
  ],
  run: async (context) => {
    const { config, options, streams } = context;
    const { role, within, limit } = options;
    const place = context.arguments.join(' ');
    await useEdition(config, (edition) => {
      const { total, organizations } = answered(() =>
        findNear(edition, place, {
          ...(role !== undefined && { role: String(role) }),
          ...(within !== undefined && { within: Number(within) }),
          ...(limit !== undefined && { limit: Number(limit) }),
        }),
      );
      if (total === 0) throw new CommandError('No active organisation is that near.');
      const { name, mainOf } = rolesOf(edition);
      const roleOf = ({ code, role = '' }: Neighbour) => {
        const row = edition.index.rowOf(code);
        const held = row === undefined ? [] : edition.rows.recordAt(row).roles;
        return name(mainOf(held) ?? role.slice('RO'.length));
      };
      const cells = (one: Neighbour) => [
        one.kilometres.toFixed(2),
        one.code,
        one.name ?? 'No name',
        roleOf(one),
        one.town ?? '',
        one.postcode ?? '',
      ];
      const text = isForPeople(context)
        ? tableText([HEADINGS, ...organizations.map(cells)], new Set([0]))
        : organizations.map((one) => `${JSON.stringify(one)}\n`).join('');
      streams.output.write(text);
      reportCut(streams, organizations.length, total);
    });
  },
};

const HEADINGS = ['km', 'code', 'name', 'role', 'town', 'postcode'];

function answered(find: () => Neighbours): Neighbours {
  try {
    return find();
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}
