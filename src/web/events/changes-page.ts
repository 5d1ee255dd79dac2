/** The page of what changed between two days, with its filters. */

import { EVENT_KINDS, type OrganizationEvent } from '../../directory/ask/answers.ts';
import { findEvents } from '../../directory/ask/events/find-events.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { daysAfter } from '../../directory/record/day.ts';
import { numberedOf } from '../../interfaces/answer/editions.ts';
import {
  EVENT_PAGE_PARAMETERS,
  EVENT_PARAMETERS,
  type EventParameter,
  positionText,
  readEventFilter,
} from '../../interfaces/events/parameters.ts';
import { FORM_RULES, readQuery } from '../../interfaces/json/read-parameters.ts';
import { editionLabel } from '../editions/editions-page.ts';
import type { Addresses } from '../parts/addresses.ts';
import { editionRoute, showFound } from '../parts/answers.ts';
import { relatedOrganization } from '../parts/related-organization.ts';
import type { PageRoute, WebContext } from '../parts/web-options.ts';
import { eventDay, eventLine } from './event-lines.ts';

export function changesRoute(options: WebContext): PageRoute {
  const { history, today } = options;
  return editionRoute(options, '/changes', async (edition, asked) => {
    const { parameters } = asked;
    const values = valuesOf(parameters, daysAfter(today(), -DAYS_BEFORE));
    const page = {
      title: 'What changed',
      values,
      kinds: EVENT_KINDS,
      edition: await editionLabel(edition, history, today()),
    };
    return showFound(options, asked, 'changes.njk', page, () =>
      results(edition, values, asked.request.query, options),
    );
  });
}

/** The page begins with the last 30 days. */
const DAYS_BEFORE = 30;

const EVENTS_ON_PAGE = 100;

/** The page has a first day if the visitor gives none. */
const PAGE_PARAMETERS = {
  ...EVENT_PAGE_PARAMETERS,
  since: { ...EVENT_PARAMETERS.since, isRequired: false },
} as const;

type Values = Readonly<Record<EventParameter, string>>;

/** As the visitor wrote them. */
function valuesOf(parameters: URLSearchParams, firstDay: string): Values {
  const value = (name: EventParameter) => parameters.get(name)?.trim() ?? '';
  const [since, until, of] = [value('since') || firstDay, value('until'), value('of')];
  return { since, until, of, role: value('role'), kind: value('kind') };
}

async function results(
  current: Edition,
  values: Values,
  query: string,
  { addresses, editions, history, today }: WebContext,
): Promise<object> {
  const { after } = readQuery(query, PAGE_PARAMETERS, FORM_RULES).values;
  const edition = after === undefined ? current : numberedOf(editions, after.edition, 'after');
  const filter = readEventFilter(edition, values);
  const { events, next } = await findEvents(edition, filter, history, {
    after,
    limit: EVENTS_ON_PAGE,
  });
  return {
    days: daysOf(edition, events, addresses, today()),
    next: next && pageAddress(addresses, values, positionText(edition, next)),
    isContinued: after !== undefined,
  };
}

function daysOf(
  edition: Edition,
  events: readonly OrganizationEvent[],
  addresses: Addresses,
  today: string,
) {
  return Array.from(
    Map.groupBy(events, ({ day }) => day),
    ([day, ofDay]) => ({
      ...eventDay(day, today),
      organizations: Array.from(
        Map.groupBy(ofDay, ({ code }) => code),
        ([code, ofCode]) => ({
          ...relatedOrganization(edition, code, addresses),
          lines: ofCode.map((event) => eventLine(edition, event, code, addresses)),
        }),
      ),
    }),
  );
}

function pageAddress({ changes }: Addresses, values: Values, after: string): string {
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  return `${changes}?${new URLSearchParams([...filled, ['after', after]])}`;
}
