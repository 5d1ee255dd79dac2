/** `gazetteer events`: what happened to organisations between two days. */

import type { OrganizationEvent } from '../../directory/ask/answers.ts';
import type { EventFilter } from '../../directory/ask/events/find-events.ts';
import { allEvents } from '../../directory/ask/events/timeline.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import { exactCsvLine } from '../../interfaces/answer/csv-line.ts';
import { EVENT_PARAMETERS, readEventFilter } from '../../interfaces/events/parameters.ts';
import { type Command, type CommandContext, UsageError } from '../parts/command.ts';
import { useEditionWithHistory } from '../parts/open-store.ts';
import { OUTPUT_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { writeLines } from '../parts/output.ts';
import { optionsOf, textsOf } from '../parts/parameter-options.ts';

export const eventsCommand: Command = {
  name: 'events',
  summary: 'List what happened to organisations between two days',
  examples: [
    'events --since 2026-10-01 --of QWO',
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
    if (context.options.since === undefined) {
      throw new UsageError('--since is missing. Give the first day, such as 2026-10-01.');
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
  const events = allEvents(edition, filter, history);
  const isJson = context.options.format === 'json';
  await writeLines(isJson ? jsonLines(filter, events) : csvLines(events), context);
}

/** One JSON document, with an event on each line. */
async function* jsonLines(
  { since, until }: EventFilter,
  events: AsyncIterable<OrganizationEvent>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ since, until }).slice(0, -1)},"events":[`;
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
