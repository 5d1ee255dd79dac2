/**
 * `gazetteer resolve`, `hierarchy`, `match` and `postcodes`: answers about codes, names and
 * postcodes, one by one or for a table. `gazetteer roles`: the list of roles.
 */
import { Readable } from 'node:stream';
import { dayOf } from '../../directory/record/in-force.ts';
import { answeredLines, readTable } from '../../interfaces/questions/csv-table.ts';
import { MATCH } from '../../interfaces/questions/match-question.ts';
import { POSTCODES } from '../../interfaces/questions/postcode-question.ts';
import { openQuestion, type Question } from '../../interfaces/questions/question.ts';
import { HIERARCHY, RESOLVE } from '../../interfaces/questions/questions.ts';
import { ROLE_COLUMNS, roleLines, rolesNamed } from '../../interfaces/questions/roles.ts';
import { type Command, type CommandContext, UsageError } from '../parts/command.ts';
import { useEdition } from '../parts/open-store.ts';
import { DAY, LINES_OPTION, OUTPUT_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { isForPeople, tableText, writeLines, writeOutput } from '../parts/output.ts';

export const resolveCommand = commandOf(RESOLVE, 'Find the codes that replaced codes', 'RW6 5HL18');
export const hierarchyCommand = commandOf(HIERARCHY, 'List what organisations belong to', 'A81001');
export const matchCommand = commandOf(
  MATCH,
  'Find the codes that names mean',
  '"leeds teaching hospitals"',
);
export const postcodesCommand = commandOf(
  POSTCODES,
  'List where postcodes are, and what they belong to',
  '"LS1 4AP" M13DZ',
);

export const rolesCommand: Command = {
  name: 'roles',
  summary: 'List the roles of organisations, and how many have each of them',
  examples: ['roles', 'roles pharmacy', 'roles --csv'],
  settings: STORE_SETTINGS,
  argument: {
    syntax: '[role...]',
    help: 'Only the roles that this means: a code, a name or an everyday word, such as pharmacy',
  },
  options: [LINES_OPTION, { syntax: '--csv', help: 'Write CSV' }],
  run: async (context) => {
    const { config, options, streams, stopped } = context;
    const text = context.arguments.length === 0 ? undefined : context.arguments.join(' ');
    await useEdition(config, async (edition) => {
      const roles = await rolesNamed(edition, text);
      if (options.csv === true) {
        return writeOutput(Readable.from(roleLines(roles)), streams.output, stopped);
      }
      const rows = roles.map((role) => ROLE_COLUMNS.map((column) => String(role[column] ?? '')));
      const written = isForPeople(context)
        ? tableText([[...ROLE_COLUMNS], ...rows], new Set([2, 3]))
        : roles.map((role) => `${JSON.stringify(role)}\n`).join('');
      streams.output.write(written);
    });
  },
};

function commandOf(question: Question, summary: string, example: string): Command {
  const { name, inputs } = question;
  return {
    name,
    summary,
    examples: [`${name} ${example}`, `${name} ${example} --on 2021-04-01`],
    settings: STORE_SETTINGS,
    argument: {
      syntax: `[${inputs[0].name}s...]`,
      help: `Without any: a CSV table on standard input, with a column ${inputs[0].name}`,
    },
    options: [
      { syntax: '--on <day>', help: 'The day, such as 2021-04-01 (default: today)', value: DAY },
      {
        syntax: '--column <heading>',
        help: `The column of the table that has the ${inputs[0].name}, if it is not a usual one`,
      },
      OUTPUT_OPTION,
    ],
    run: (context) => answer(context, question),
  };
}

async function answer(context: CommandContext, question: Question): Promise<void> {
  const { config, options, arguments: words, streams } = context;
  const { name, inputs } = question;
  if (words.length === 0 && 'isTTY' in streams.input && streams.input.isTTY === true) {
    throw new UsageError(
      `Give ${inputs[0].name}s, or a CSV table on standard input: gazetteer ${name} < table.csv`,
    );
  }
  if (words.length > 0 && options.column !== undefined) {
    throw new UsageError('--column is for a table on standard input. Leave it out.');
  }
  const source =
    words.length === 0
      ? streams.input
      : Readable.from([Buffer.from(tableOf(words, inputs[0].name))]);
  const day = options.on === undefined ? dayOf(new Date()) : String(options.on);
  await useEdition(config, async (edition) => {
    const ask = await openQuestion(question, edition, day);
    const column = options.column === undefined ? undefined : String(options.column);
    const rows = readTable(source, question, { column, remedy: '--column HEADING' });
    await writeLines(answeredLines(rows, question, ask), context);
  });
}

function tableOf(words: readonly string[], name: string): string {
  return [name, ...words.map((word) => `"${word.replaceAll('"', '""')}"`)].join('\n');
}
