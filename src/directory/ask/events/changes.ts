/**
 * What changed: events by their own days, or by when they became known. Every way of asking about
 * events calls this.
 */

import type { Edition } from '../../edition/edition.ts';
import type { EditionHistory } from '../../edition/edition-store.ts';
import type { OrganizationEvent } from '../answers.ts';
import type { EventFilter, EventPage, EventPageOptions } from './event-filter.ts';
import { findEvents } from './find-events.ts';
import { findKnown } from './find-known.ts';
import { withKnownSince } from './timeline.ts';

/**
 * A page of events: by day and code, or by code alone if the filter asks for what became known.
 * Each event says since when it is known, if the editions that are kept tell. Other requests are
 * answered meanwhile.
 */
export async function changes(
  edition: Edition,
  filter: EventFilter,
  history: EditionHistory,
  options: EventPageOptions,
): Promise<EventPage> {
  if (isByKnowledge(filter)) return findKnown(edition, filter, history, options);
  const page = await findEvents(edition, filter, history, options);
  return { ...page, events: await withKnownSince(edition, page.events, history, options.pause) };
}

export function isByKnowledge({ knownSince, sinceEdition }: EventFilter): boolean {
  return knownSince !== undefined || sinceEdition !== undefined;
}

/** The events of all pages, one after the other. */
export async function* allChanges(
  edition: Edition,
  filter: EventFilter,
  history: EditionHistory,
): AsyncGenerator<OrganizationEvent> {
  let after: EventPage['next'];
  do {
    const page: EventPage = await changes(edition, filter, history, {
      after,
      limit: EVENTS_AT_ONCE,
    });
    yield* page.events;
    after = page.next;
  } while (after !== undefined);
}

const EVENTS_AT_ONCE = 1000;
