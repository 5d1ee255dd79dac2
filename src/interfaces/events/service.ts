/** `GET /events`: what happened to organisations between two days. */

import { EVENT_KINDS } from '../../directory/ask/answers.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import type { PlainService } from '../../fhir/service/interaction.ts';
import type { Editions } from '../answer/editions.ts';
import { type PlainEndpoint, plainEndpoint } from '../json/endpoint.ts';
import { createEndpointService } from '../json/endpoint-service.ts';
import { arrayOf, DATE, jsonContent, objectOf, oneOf, TEXT } from '../json/json-schema.ts';
import type { JsonServiceOptions } from '../json/json-service.ts';
import { eventPage } from './event-page.ts';
import { EVENT_PAGE_PARAMETERS } from './parameters.ts';

export const EVENTS_SERVICE_NAME = 'events';

const SUMMARY =
  'What happened to organisations between two days, or what became known since a day.';

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
    ask: async ({ values, request }) => {
      const page = await eventPage({ editions, openHistory }, values, EVENTS_MAX, { request });
      return { text: JSON.stringify(page) };
    },
  });
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
