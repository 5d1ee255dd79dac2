/** The parameters that choose events: over HTTP, on the page and on the command line. */

import { EVENT_KINDS, type EventKind } from '../../directory/ask/answers.ts';
import { isByKnowledge } from '../../directory/ask/events/changes.ts';
import type { EventFilter, EventPosition } from '../../directory/ask/events/event-filter.ts';
import { rolesMeant, unknownRole } from '../../directory/ask/role-words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { findCode } from '../../directory/edition/source-record.ts';
import { shownText } from '../../fhir/request/unknown-name.ts';
import { OPENAPI, refuse } from '../json/json-parameters.ts';
import { TEXT } from '../json/json-schema.ts';
import {
  CODE_KIND,
  DAY_KIND,
  type Kind,
  listKind,
  numberKind,
  oneOfKind,
  TEXT_KIND,
} from '../json/kinds.ts';
import { tableOf, type ValuesOf } from '../json/parameter-table.ts';
import { readTexts } from '../json/read-parameters.ts';

const KIND_LIST = `${OPENAPI} or "gazetteer events --help"`;

/** Those that all ways of asking share. */
export const EVENT_PARAMETERS = tableOf({
  since: {
    documentation: 'The first day, such as 2026-10-01.',
    kind: DAY_KIND,
    example: '2026-06-01',
  },
  until: {
    documentation: 'The last day. Without it, the list includes announced events.',
    kind: DAY_KIND,
    example: '2026-10-01',
  },
  knownSince: {
    documentation: 'Only what became known on this day or later, such as 2026-10-01.',
    kind: DAY_KIND,
    example: '2026-10-01',
  },
  sinceEdition: {
    documentation: 'Only what became known after the edition with this number.',
    kind: {
      ...numberKind({ min: 1, max: 999_999_999 }, 'from 1'),
      schema: { type: 'integer', minimum: 1 },
      rule: 'must be the number of an edition, such as 7',
      word: 'number',
    },
    example: '7',
  },
  of: {
    documentation:
      'The code of an organisation: it, and those that belong to it on the day of the event, ' +
      'directly or through others.',
    kind: CODE_KIND,
    example: 'QWO',
  },
  role: {
    documentation: 'Only organisations with this role: its code, its name or an everyday word.',
    kind: TEXT_KIND,
    example: 'RO177',
  },
  kind: {
    documentation: `The kinds of events, with commas between them: ${EVENT_KINDS.join(', ')}.`,
    kind: listKind<EventKind>({ ...oneOfKind(EVENT_KINDS), listedAt: KIND_LIST }),
    example: 'joined',
  },
});

export type EventParameter = keyof typeof EVENT_PARAMETERS;

/**
 * Throws a FhirError that names the parameter and the remedy. Empty values count as absent. What
 * depends on the list of editions is checked when the question is asked.
 */
export function readEventFilter(
  edition: Edition,
  texts: { readonly [Name in EventParameter]?: string | undefined },
): EventFilter {
  return eventFilterOf(edition, readTexts(texts, EVENT_PARAMETERS));
}

/** Throws a FhirError if values are missing, or the edition does not have what a value names. */
export function eventFilterOf(
  edition: Edition,
  values: ValuesOf<typeof EVENT_PARAMETERS>,
): EventFilter {
  const { since, until, knownSince, sinceEdition, of, role, kind: kinds } = values;
  if (since !== undefined && until !== undefined && until < since) {
    throw refuse(`since must not be after until. Got since ${since} and until ${until}.`);
  }
  if (knownSince !== undefined && sinceEdition !== undefined) {
    throw refuse('Give knownSince or sinceEdition, not both.');
  }
  const filter: EventFilter = {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(knownSince !== undefined && { knownSince }),
    ...(sinceEdition !== undefined && { sinceEdition }),
    ...(of !== undefined && { of: knownCode(edition, of) }),
    ...(role !== undefined && { roles: knownRoles(edition, role) }),
    ...(kinds !== undefined && { kinds }),
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

function knownCode({ links }: Edition, text: string): string {
  const code = findCode(links, text);
  if (code !== undefined) return code;
  throw refuse(
    `of must be the code of an organisation. The directory has no "${shownText(text)}".`,
  );
}

function knownRoles(edition: Edition, text: string): readonly string[] {
  const found = rolesMeant(edition, text);
  if (found.length > 0) return found;
  throw refuse(unknownRole(edition, text));
}

/** A position names its edition, because its numbers mean nothing in another one. */
export interface NumberedPosition extends EventPosition {
  readonly edition: number;
}

export function positionText(edition: Edition, { place, skip }: EventPosition): string {
  return [edition.number, place, skip].join('-');
}

/** The value of `next` in an earlier answer. */
const POSITION_KIND: Kind<NumberedPosition> = {
  schema: TEXT,
  rule: 'must be the value of next in an earlier answer',
  parse: (text) => {
    const [, edition, place, skip] = POSITION.exec(text) ?? [];
    if (skip === undefined) {
      throw refuse(
        `after must be the value of next in an earlier answer. Got "${shownText(text)}". Leave it out to begin.`,
      );
    }
    return { edition: Number(edition), place: Number(place), skip: Number(skip) };
  },
};

const POSITION = /^([1-9]\d{0,8})-(\d{1,10})-(\d{1,10})$/;

/** The parameters of the pages of events. */
export const EVENT_PAGE_PARAMETERS = {
  ...EVENT_PARAMETERS,
  after: {
    documentation: 'The value of `next` in the answer before, for the next page.',
    kind: POSITION_KIND,
    example: '7-0-0',
  },
} as const;
