/** A page of events, as all interfaces answer it. */

import { changes } from '../../directory/ask/events/changes.ts';
import { knownDayOf } from '../../directory/ask/events/compared-edition.ts';
import type { EventFilter } from '../../directory/ask/events/event-filter.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import { type Editions, numberedOf } from '../answer/editions.ts';
import type { ValuesOf } from '../json/parameter-table.ts';
import { type EVENT_PAGE_PARAMETERS, eventFilterOf, positionText } from './parameters.ts';

/** Where events are asked for. */
export interface EventSource {
  readonly editions: Editions;
  openHistory(): Promise<EditionHistory>;
}

/** At most `limit` events. Rejects with a FhirError. */
export async function eventPage(
  { editions, openHistory }: EventSource,
  values: ValuesOf<typeof EVENT_PAGE_PARAMETERS>,
  limit: number,
): Promise<object> {
  const { after } = values;
  const edition = numberedOf(editions, after?.edition, 'after');
  const filter = eventFilterOf(edition, values);
  const history = await openHistory();
  const page = await changes(edition, filter, history, { after, limit });
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
