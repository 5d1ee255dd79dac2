/** `gazetteer events`: what happened to organisations between two days, or what became known since a day. */

import type { OrganizationEvent } from '../../directory/ask/answers.ts';
import { allChanges } from '../../directory/ask/events/changes.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import { exactCsvLine } from '../../interfaces/answer/csv-line.ts';
import { askedOf } from '../../interfaces/events/event-page.ts';
import { EVENT_PARAMETERS, readEventFilter } from '../../interfaces/events/parameters.ts';
import { type Command, type CommandContext, UsageError } from '../parts/command.ts';
import { useEditionWithHistory } from '../parts/open-store.ts';
import { OUTPUT_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { writeLines } from '../parts/output.ts';
import { optionsOf, textsOf } from '../parts/parameter-options.ts';

export const eventsCommand: Command = {
  name: 'events',
  summary: 'List what happened to organisations between two days, or what became known since a day',
  examples: [
    'events --since 2026-10-01 --of QWO',
    'events --known-since 2026-10-01 --kind added,removed',
    'events --since 2026-10-01 --role RO177 --kind closed --format json',
  ],
  settings: STORE_SETTINGS,
  options: [
    ...optionsOf(EVENT_PARAMETERS),
    {
      syntax: '--format <format>',
      help: 'The format: csv or json (default: csv)',
      value: { is: (text) => ['csv', 'json'].includes(text), name: 'csv or json' },
    },
    OUTPUT_OPTION,
  ],
  run: async (context) => {
    const { options } = context;
    if (['since', 'knownSince', 'sinceEdition'].every((name) => options[name] === undefined)) {
      throw new UsageError(
        '--since is missing. Give the first day, such as 2026-10-01. Or give --known-since or ' +
          '--since-edition.',
      );
    }
    await useEditionWithHistory(context.config, (edition, history) =>
      write(edition, history, context),
    );
  },
};

async function write(
  edition: Edition,
  history: EditionHistory,
  context: CommandContext,
): Promise<void> {
  const filter = readEventFilter(edition, textsOf(EVENT_PARAMETERS, context.options));
  const events = allChanges(edition, filter, history);
  const isJson = context.options.format === 'json';
  const asked = await askedOf(edition, filter, history);
  await writeLines(isJson ? jsonLines(asked, events) : csvLines(events), context);
}

/** One JSON document, with an event on each line. */
async function* jsonLines(
  asked: object,
  events: AsyncIterable<OrganizationEvent>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(asked).slice(0, -1)},"events":[`;
  let waiting: string | undefined;
  for await (const event of events) {
    if (waiting !== undefined) yield `${waiting},`;
    waiting = JSON.stringify(event);
  }
  if (waiting !== undefined) yield waiting;
  yield ']}';
}

async function* csvLines(events: AsyncIterable<OrganizationEvent>): AsyncGenerator<string> {
  yield exactCsvLine(COLUMNS);
  for await (const { other, from, knownSince, ...event } of events) {
    const { day, kind, code, name = '', text, role = '', by = '' } = event;
    const named = [other?.code, other?.name, from?.code, from?.name].map((cell) => cell ?? '');
    const known = knownSince ? [String(knownSince.edition), knownSince.date] : ['', ''];
    yield exactCsvLine([day, kind, code, name, text, ...named, role, by, ...known]);
  }
}

const COLUMNS = (
  'day kind code name text other otherName from fromName role by ' +
  'knownSinceEdition knownSinceDate'
).split(' ');
