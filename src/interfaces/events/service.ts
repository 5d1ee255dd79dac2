/** `GET /events`: what happened to organisations between two days. */

import { EVENT_KINDS } from '../../directory/ask/answers.ts';
import { changes } from '../../directory/ask/events/changes.ts';
import { knownDayOf } from '../../directory/ask/events/compared-edition.ts';
import type { EventFilter } from '../../directory/ask/events/event-filter.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import { answerBody } from '../../fhir/service/answer.ts';
import type { PlainOperation, PlainService } from '../../fhir/service/interaction.ts';
import { numberedOf } from '../answer/editions.ts';
import { readParameters } from '../json/json-parameters.ts';
import {
  arrayOf,
  DATE,
  jsonContent,
  objectOf,
  oneOf,
  parameterOf,
  TEXT,
} from '../json/json-schema.ts';
import {
  createJsonService,
  errorAnswers,
  JSON_FORM,
  type JsonServiceOptions,
} from '../json/json-service.ts';
import { EVENT_PARAMETERS, positionText, readEventFilter, readPosition } from './parameters.ts';

export const EVENTS_SERVICE_NAME = 'events';

const SUMMARY = 'What happened to organisations between two days, or became known since.';

const PARAMETERS: Readonly<Record<string, string>> = {
  ...EVENT_PARAMETERS,
  after: 'The value of `next` in the answer before, for the next page',
};

const NAMES = Object.keys(PARAMETERS);

export function createEventsService(
  options: JsonServiceOptions,
  openHistory: () => Promise<EditionHistory>,
): PlainService {
  const { editions, serverUrl } = options;
  return createJsonService(options, {
    name: EVENTS_SERVICE_NAME,
    title: 'What happened',
    description: SUMMARY,
    baseUrl: `${serverUrl}/events`,
    words: NAMES,
    routes: [
      {
        path: '',
        method: 'GET',
        interaction: 'search-type',
        operation: OPERATION,
        answer: async (context) => {
          const { after: text, ...values } = readParameters(context.request.query, NAMES).values;
          const after = text === undefined ? undefined : readPosition(text);
          const edition = numberedOf(editions, after?.edition, 'after');
          const filter = readEventFilter(edition, values);
          const history = await openHistory();
          const page = await changes(edition, filter, history, { after, limit: EVENTS_MAX });
          const body = {
            ...(await askedOf(edition, filter, history)),
            events: page.events,
            next: page.next && positionText(edition, page.next),
          };
          return answerBody(context, JSON_FORM, { body: JSON.stringify(body) });
        },
      },
    ],
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

const PAGE_SCHEMA = objectOf({
  since: DATE,
  until: DATE,
  knownSince: DATE,
  sinceEdition: { type: 'integer' },
  edition: objectOf({ number: { type: 'integer' }, date: DATE }),
  events: arrayOf(EVENT_SCHEMA),
  next: TEXT,
});

const SCHEMAS: Readonly<Record<string, object>> = {
  since: DATE,
  until: DATE,
  knownSince: DATE,
  sinceEdition: { type: 'integer', minimum: 1 },
};

const OPERATION: PlainOperation = {
  operationId: 'events',
  summary: SUMMARY,
  parameters: Object.entries(PARAMETERS).map(([name, description]) =>
    parameterOf(name, `${description}.`, {
      schema: SCHEMAS[name] ?? TEXT,
      ...(name === 'since' && { example: '2026-06-01' }),
    }),
  ),
  responses: {
    200: {
      description:
        'The events by day, or by code if they are asked for by when they became known. `next` is ' +
        'absent on the last page.',
      content: jsonContent(PAGE_SCHEMA),
    },
    ...errorAnswers({ 410: 'The edition of the position is gone. Begin again without `after`.' }),
  },
};
