/** A page of events, as all interfaces answer it. */

import { changes } from '../../directory/ask/events/changes.ts';
import { knownDayOf } from '../../directory/ask/events/compared-edition.ts';
import type {
  EventFilter,
  EventPage,
  EventPageOptions,
} from '../../directory/ask/events/event-filter.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import { type Editions, longAnswersOf, numberedOf } from '../answer/editions.ts';
import type { ValuesOf } from '../json/parameter-table.ts';
import { type EVENT_PAGE_PARAMETERS, eventFilterOf, positionText } from './parameters.ts';

/** Where events are asked for. */
export interface EventSource {
  readonly editions: Editions;
  openHistory(): Promise<EditionHistory>;
}

/** Events that a request asks for: a page of one edition. */
export interface AskedEvents extends Pick<EventPageOptions, 'after' | 'limit'> {
  readonly edition: Edition;
  readonly filter: EventFilter;
  readonly request: FhirRequest;
}

/**
 * The page of events as a long answer, which is kept for the next request. Rejects with a FhirError.
 */
export async function requestedEvents(
  editions: Editions,
  history: EditionHistory,
  { edition, filter, request, after, limit }: AskedEvents,
): Promise<EventPage> {
  // What only other editions say changes with the list of those that are on the disk.
  const onDisk = (await history.list()).map(({ number, isOnDisk }) => isOnDisk && number);
  const key = { owner: edition, name: JSON.stringify(['events', filter, after, limit, onDisk]) };
  const text = await longAnswersOf(editions).keptText(
    { kind: 'lists of events', request, key },
    async (pause, signal) =>
      JSON.stringify(await changes(edition, filter, history, { after, limit, pause, signal })),
  );
  return JSON.parse(text);
}

/** Who asks: a request, or a part of long work that has a place already. */
type EventAsker =
  | { readonly request: FhirRequest }
  | Required<Pick<EventPageOptions, 'pause' | 'signal'>>;

/** At most `limit` events. Rejects with a FhirError. */
export async function eventPage(
  { editions, openHistory }: EventSource,
  values: ValuesOf<typeof EVENT_PAGE_PARAMETERS>,
  limit: number,
  asker: EventAsker,
): Promise<object> {
  const { after } = values;
  const edition = numberedOf(editions, after?.edition, 'after');
  const filter = eventFilterOf(edition, values);
  const history = await openHistory();
  const page =
    'request' in asker
      ? await requestedEvents(editions, history, { edition, filter, ...asker, after, limit })
      : await changes(edition, filter, history, { ...asker, after, limit });
  return {
    ...(await askedOf(edition, filter, history)),
    events: page.events,
    ...(page.next !== undefined && { next: positionText(edition, page.next) }),
  };
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
