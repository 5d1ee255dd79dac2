/** `gazetteer practitioner`: who has a code or number, or works for an organisation. */
import {
  IMPORT_PRACTITIONERS,
  type PractitionerAnswer,
  practitionerAnswer,
  practitionersWith,
} from '../../directory/ask/find-practitioners.ts';
import type { Practitioner, Practitioners } from '../../directory/practitioners/practitioners.ts';
import { dayOf } from '../../directory/record/in-force.ts';
import { type Command, CommandError, UsageError } from '../parts/command.ts';
import { useEdition } from '../parts/open-store.ts';
import { DAY, LINES_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { isForPeople, tableText } from '../parts/output.ts';

export const practitionerCommand: Command = {
  name: 'practitioner',
  summary: 'Show who has a code or number, or who works for an organisation',
  examples: ['practitioner G1234567', 'practitioner --of A81001 --on 2026-04-01'],
  settings: STORE_SETTINGS,
  argument: {
    syntax: '[code]',
    help: 'A code such as G1234567, C1234567, a nurse’s PIN, or a GMC or GDC number',
  },
  options: [
    { syntax: '--of <code>', help: 'The organisation, in place of a code' },
    {
      syntax: '--on <day>',
      help: 'The day on which people work there (default: today)',
      value: DAY,
    },
    LINES_OPTION,
  ],
  run: async (context) => {
    const { config, options, streams } = context;
    const [code] = context.arguments;
    const of = options.of === undefined ? undefined : String(options.of).toUpperCase();
    if ((code === undefined) === (of === undefined)) {
      throw new UsageError('Give a code, or an organisation with --of.');
    }
    const day = options.on === undefined ? dayOf(new Date()) : String(options.on);
    await useEdition(config, (edition) => {
      const { practitioners } = edition;
      if (practitioners === undefined) throw new CommandError(IMPORT_PRACTITIONERS);
      const found = findThem(practitioners, code, of, day);
      const answers = found.map((each) => practitionerAnswer(edition, each, day));
      streams.output.write(
        isForPeople(context)
          ? tableText([HEADINGS, ...answers.map(cellsOf)])
          : answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''),
      );
    });
  },
};

function findThem(
  practitioners: Practitioners,
  code: string | undefined,
  of: string | undefined,
  day: string,
): readonly Practitioner[] {
  const found =
    of === undefined
      ? practitionersWith(practitioners, code ?? '')
      : practitioners.ofOrganisation(of, day);
  if (found.length > 0) return found;
  throw new CommandError(
    of === undefined
      ? `No practitioner has the code or number "${code}".`
      : `The files have no practitioner who works for ${of} on ${day}.`,
  );
}

const HEADINGS = ['code', 'name', 'role', 'status', 'numbers', 'works for'];

function cellsOf(answer: PractitionerAnswer): readonly string[] {
  const { code, name, type, roles, active, numbers, memberships } = answer;
  const others = numbers.filter(({ value }) => value !== code).map(({ value }) => value);
  const organisations = memberships
    .filter(({ current }) => current)
    .map(({ organisation }) => organisation.code);
  return [
    code,
    name,
    roles[0]?.name ?? type,
    active ? 'active' : 'not active',
    others.join(' '),
    organisations.join(' '),
  ];
}
