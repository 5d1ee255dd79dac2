/** A page of events, as all interfaces answer it. */

import { findEvents } from '../../directory/ask/events/find-events.ts';
import { withKnownSince } from '../../directory/ask/events/timeline.ts';
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
  const page = await findEvents(edition, filter, history, { after, limit });
  const { since, until } = filter;
  return {
    since,
    ...(until !== undefined && { until }),
    events: await withKnownSince(edition, page.events, history),
    ...(page.next !== undefined && { next: positionText(edition, page.next) }),
  };
}
