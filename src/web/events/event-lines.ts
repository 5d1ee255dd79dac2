/** Events as lines of a page: a sentence, and a link to the other organisation at its end. */

import type { OrganizationEvent } from '../../directory/ask/answers.ts';
import { namedText } from '../../directory/ask/dated-events.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { Addresses } from '../parts/addresses.ts';
import { relationshipWords } from '../parts/code-names.ts';
import { formatDate } from '../parts/display.ts';
import { type RelatedOrganization, relatedOrganization } from '../parts/related-organization.ts';

export interface EventLine {
  readonly text: string;
  readonly other?: RelatedOrganization;
  /** The relationship that began or ended. */
  readonly words?: string;
}

export interface EventDay {
  readonly date: string;
  readonly isLater: boolean;
}

/** `own`: the code of the organisation whose page shows the event. */
export function eventLine(
  edition: Edition,
  { kind, code, other, by, text }: OrganizationEvent,
  own: string,
  addresses: Addresses,
): EventLine {
  const linked = (one: string) => relatedOrganization(edition, one, addresses);
  if (code !== own && (kind === 'succeeded' || kind === 'merged')) {
    return { text: 'Took over from ', other: linked(code) };
  }
  // Each sentence about another organisation ends with it.
  if (other === undefined) return { text };
  return {
    text: text.slice(0, -namedText(other).length),
    other: linked(other.code),
    ...(by !== undefined && { words: relationshipWords(edition, by.replace(/^RE/, '')) }),
  };
}

export function eventDay(day: string, today: string): EventDay {
  return { date: formatDate(day), isLater: day > today };
}
