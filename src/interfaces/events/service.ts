/** `GET /events`: what happened to organisations between two days. */

import { EVENT_KINDS } from '../../directory/ask/answers.ts';
import { changes } from '../../directory/ask/events/changes.ts';
import type { EventFilter } from '../../directory/ask/events/event-filter.ts';
import { knownDayOf } from '../../directory/ask/events/known-base.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import type { PlainService } from '../../fhir/service/interaction.ts';
import { type Editions, numberedOf } from '../answer/editions.ts';
import { type PlainEndpoint, plainEndpoint } from '../json/endpoint.ts';
import { createEndpointService } from '../json/endpoint-service.ts';
import { arrayOf, DATE, jsonContent, objectOf, oneOf, TEXT } from '../json/json-schema.ts';
import type { JsonServiceOptions } from '../json/json-service.ts';
import { EVENT_PAGE_PARAMETERS, eventFilterOf, positionText } from './parameters.ts';

export const EVENTS_SERVICE_NAME = 'events';

const SUMMARY = 'What happened to organisations between two days, or became known since.';

export function createEventsService(
  options: JsonServiceOptions,
  openHistory: () => Promise<EditionHistory>,
): PlainService {
  return createEndpointService(options, {
    name: EVENTS_SERVICE_NAME,
    title: 'What happened',
    description: SUMMARY,
    baseUrl: `${options.serverUrl}/events`,
    endpoints: [eventsEndpoint(options.editions, openHistory)],
  });
}

function eventsEndpoint(
  editions: Editions,
  openHistory: () => Promise<EditionHistory>,
): PlainEndpoint {
  return plainEndpoint({
    path: '',
    method: 'GET',
    interaction: 'search-type',
    operationId: 'events',
    summary: SUMMARY,
    parameters: EVENT_PAGE_PARAMETERS,
    shown: ['since'],
    rules: { isForm: true },
    answers: {
      description:
        'The events by day, or by code if they are asked for by when they became known. `next` is ' +
        'absent on the last page.',
      forms: jsonContent(EVENT_PAGE_SCHEMA),
      errors: { 410: 'The edition of the position is gone. Begin again without `after`.' },
    },
    ask: async ({ values }) => {
      const { after } = values;
      const edition = numberedOf(editions, after?.edition, 'after');
      const filter = eventFilterOf(edition, values);
      const history = await openHistory();
      const page = await changes(edition, filter, history, { after, limit: EVENTS_MAX });
      const body = {
        ...(await askedOf(edition, filter, history)),
        events: page.events,
        next: page.next && positionText(edition, page.next),
      };
      return { text: JSON.stringify(body) };
    },
  });
}

/** The days and the edition that were asked, and the edition that answers. */
export async function askedOf(
  edition: Edition,
  { since, until, knownSince, sinceEdition }: EventFilter,
  history: EditionHistory,
): Promise<object> {
  const { number } = edition;
  const date = await knownDayOf(edition, history);
  return { since, until, knownSince, sinceEdition, edition: { number, date } };
}

/** Of one page. */
const EVENTS_MAX = 1000;

const NAMED = objectOf({ code: TEXT, name: TEXT });

const EVENT_SCHEMA = objectOf({
  kind: oneOf(EVENT_KINDS),
  code: TEXT,
  name: TEXT,
  day: DATE,
  knownSince: objectOf({ edition: { type: 'integer' }, date: DATE }),
  other: NAMED,
  from: NAMED,
  role: TEXT,
  by: TEXT,
  text: TEXT,
});

export const EVENT_PAGE_SCHEMA = objectOf({
  since: DATE,
  until: DATE,
  knownSince: DATE,
  sinceEdition: { type: 'integer' },
  edition: objectOf({ number: { type: 'integer' }, date: DATE }),
  events: arrayOf(EVENT_SCHEMA),
  next: TEXT,
});
