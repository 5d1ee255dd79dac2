/** The parameters that choose events: over HTTP, on the page and on the command line. */

import { EVENT_KINDS, type EventKind } from '../../directory/ask/answers.ts';
import { isByKnowledge } from '../../directory/ask/events/changes.ts';
import type { EventFilter, EventPosition } from '../../directory/ask/events/event-filter.ts';
import { roleCodeOf } from '../../directory/ask/role-words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { findRow, pastedCode } from '../../directory/edition/source-record.ts';
import { beginningOf, dayNamed, refuse } from '../json/json-parameters.ts';

/** Those that all ways of asking share, with their documentation. */
export const EVENT_PARAMETERS = {
  since: 'The first day, such as 2026-10-01',
  until: 'The last day. Without it, also what is announced',
  knownSince: 'Only what became known on this day or later, such as 2026-10-01',
  sinceEdition: 'Only what became known after the edition with this number',
  of: 'The code of an organisation: it, and those that belong to it on the day of the event',
  role: 'Only organisations with this role, such as RO177 or 177',
  kind: 'The kinds of events, such as joined, with commas between them',
} as const;

export type EventParameter = keyof typeof EVENT_PARAMETERS;

/**
 * Throws a FhirError that names the parameter and the remedy. Empty values count as absent. What
 * depends on the list of editions is checked when the question is asked.
 */
export function readEventFilter(
  edition: Edition,
  values: { readonly [Name in EventParameter]?: string | undefined },
): EventFilter {
  const { since, until, knownSince, sinceEdition, of, role, kind } = values;
  if (since) dayNamed('since', since);
  if (until) dayNamed('until', until);
  if (since && until && until < since) {
    throw refuse(`since must not be after until. Got since ${since} and until ${until}.`);
  }
  if (knownSince) dayNamed('knownSince', knownSince);
  if (knownSince && sinceEdition) throw refuse('Give knownSince or sinceEdition, not both.');
  const filter: EventFilter = {
    ...(since && { since }),
    ...(until && { until }),
    ...(knownSince && { knownSince }),
    ...(sinceEdition && { sinceEdition: editionNamed(sinceEdition) }),
    ...(of && { of: knownCode(edition, of) }),
    ...(role && { role: knownRole(edition, role) }),
    ...(kind && { kinds: kind.split(',').map((each) => knownKind(each.trim())) }),
  };
  if (isByKnowledge(filter)) return filter;
  if (!since) {
    throw refuse(
      'since is missing. Give the first day, such as 2026-10-01. Or give knownSince or sinceEdition.',
    );
  }
  if (filter.kinds?.includes('changed')) {
    throw refuse('kind=changed needs knownSince or sinceEdition: it compares two editions.');
  }
  return filter;
}

function editionNamed(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw refuse(
    `sinceEdition must be the number of an edition, such as 7. Got "${beginningOf(text)}".`,
  );
}

function knownCode({ links }: Edition, text: string): string {
  const code = findRow(links, text)?.code;
  if (code !== undefined) return code;
  const target = pastedCode(text).toUpperCase();
  if (links.incoming(target).length > 0) return target;
  throw refuse(
    `of must be the code of an organisation. The directory has no "${beginningOf(text)}".`,
  );
}

function knownRole(edition: Edition, text: string): string {
  const found = roleCodeOf(edition, text);
  if (found !== undefined) return found;
  throw refuse(
    `role must be the code of a role, such as RO177. The directory has no "${beginningOf(text)}".`,
  );
}

function knownKind(text: string): EventKind {
  const found = EVENT_KINDS.find((kind) => kind === text);
  if (found !== undefined) return found;
  throw refuse(`kind must be one of ${EVENT_KINDS.join(', ')}. Got "${beginningOf(text)}".`);
}

/** A position names its edition, because its numbers mean nothing in another one. */
export interface NumberedPosition extends EventPosition {
  readonly edition: number;
}

export function positionText(edition: Edition, { place, skip }: EventPosition): string {
  return [edition.number, place, skip].join('-');
}

export function readPosition(text: string): NumberedPosition {
  const [, edition, place, skip] = POSITION.exec(text) ?? [];
  if (skip === undefined) {
    throw refuse(
      `after must be the value of next in an earlier answer. Got "${beginningOf(text)}". Leave it out to begin.`,
    );
  }
  return { edition: Number(edition), place: Number(place), skip: Number(skip) };
}

const POSITION = /^([1-9]\d{0,8})-(\d{1,10})-(\d{1,10})$/;
