/** The page of what changed: what became known, or what happened between two days. With its filters. */

import type { OrganizationEvent } from '../../directory/ask/answers.ts';
import {
  comparedEditionOf,
  knownDayOf,
  lastBase,
} from '../../directory/ask/events/compared-edition.ts';
import type { EventFilter } from '../../directory/ask/events/event-filter.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import { daysAfter } from '../../directory/record/day.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import { numberedOf } from '../../interfaces/answer/editions.ts';
import { requestedEvents } from '../../interfaces/events/event-page.ts';
import {
  EVENT_PAGE_PARAMETERS,
  EVENT_PARAMETERS,
  type EventParameter,
  positionText,
  readEventFilter,
} from '../../interfaces/events/parameters.ts';
import { tableOf } from '../../interfaces/json/parameter-table.ts';
import { FORM_RULES, readQuery } from '../../interfaces/json/read-parameters.ts';
import type { Addresses } from '../parts/addresses.ts';
import { editionRoute, showFound } from '../parts/answers.ts';
import { formatDate } from '../parts/display.ts';
import { type FieldTexts, formFields, problemAtField } from '../parts/form-fields.ts';
import { relatedOrganization } from '../parts/related-organization.ts';
import type { PageRoute, WebContext } from '../parts/web-options.ts';
import { eventDay, eventLine } from './event-lines.ts';

export function changesRoute(options: WebContext): PageRoute {
  return editionRoute(options, '/changes', async (edition, asked) => {
    const values = await valuesOf(asked.parameters, edition, options);
    const fields = formFields(EVENT_PARAMETERS, FIELDS, values);
    const page = {
      title: 'What changed',
      fields,
      isByKnowledge: isByKnowledge(values),
      beginning: await beginningOf(asked.parameters, values, edition, options),
    };
    const find = () => results(edition, values, asked.request, options);
    return showFound(options, asked, 'changes.njk', page, find, (text) =>
      problemAtField(fields, text),
    );
  });
}

/** If the last publication cannot be compared with the one before, the page begins with these days. */
const DAYS_BEFORE = 30;

const EVENTS_ON_PAGE = 100;

const FIELDS: readonly FieldTexts[] = [
  { name: 'knownSince', label: 'Known since' },
  { name: 'since', label: 'From' },
  { name: 'until', label: 'To' },
  { name: 'of', label: 'Belongs to', hint: 'The code of a board or trust' },
  { name: 'role', label: 'Role', hint: 'A code or a name' },
  { name: 'kind', label: 'What happened', hint: 'One or several, or none for anything' },
];

const FORM_PARAMETERS = tableOf({
  ...EVENT_PAGE_PARAMETERS,
  kind: { ...EVENT_PAGE_PARAMETERS.kind, isRepeatable: true },
});

type Values = Readonly<Record<EventParameter, string>>;

/** As the visitor wrote them. Without any days or edition: what the last publication made known. */
async function valuesOf(
  parameters: URLSearchParams,
  edition: Edition,
  { history, today }: WebContext,
): Promise<Values> {
  const value = (name: EventParameter) => parameters.get(name)?.trim() ?? '';
  const values = {
    since: value('since'),
    until: value('until'),
    knownSince: value('knownSince'),
    sinceEdition: value('sinceEdition'),
    of: value('of'),
    role: value('role'),
    // A form sends each box that is checked, a link all of them in one text.
    kind: parameters
      .getAll('kind')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .join(','),
  };
  const { since, until } = values;
  if (isByKnowledge(values) || since !== '') return values;
  const base = until === '' ? await lastBase(edition, history) : undefined;
  if (base !== undefined) return { ...values, sinceEdition: String(base.number) };
  return { ...values, since: daysAfter(today(), -DAYS_BEFORE) };
}

/** Why the page begins with the last days, and not with what became known. */
type Beginning = 'unchanged' | 'not-kept';

/** Undefined if the visitor chose the days, or if the page begins with what became known. */
async function beginningOf(
  parameters: URLSearchParams,
  values: Values,
  edition: Edition,
  { history }: Pick<WebContext, 'history'>,
): Promise<Beginning | undefined> {
  const isChosen = (['since', 'until'] as const).some((name) => parameters.get(name)?.trim());
  if (isChosen || isByKnowledge(values)) return undefined;
  const [, ...later] = (await history.list()).filter(({ number }) => number <= edition.number);
  const isChanged = later.some(({ added, changed, removed }) => added + changed + removed > 0);
  return isChanged ? 'not-kept' : 'unchanged';
}

function isByKnowledge({ knownSince, sinceEdition }: Values): boolean {
  return knownSince !== '' || sinceEdition !== '';
}

async function results(
  current: Edition,
  values: Values,
  request: FhirRequest,
  context: WebContext,
): Promise<object> {
  const { addresses, editions, history, today } = context;
  const { after } = readQuery(request.query, FORM_PARAMETERS, FORM_RULES).values;
  const edition = after === undefined ? current : numberedOf(editions, after.edition, 'after');
  const filter = readEventFilter(edition, values);
  const { events, next } = await requestedEvents(editions, history, {
    edition,
    filter,
    request,
    after,
    limit: EVENTS_ON_PAGE,
  });
  return {
    groups: isByKnowledge(values)
      ? knownGroups(edition, events, addresses)
      : dayGroups(edition, events, addresses, today()),
    ...(isByKnowledge(values) && (await knowledgeWords(edition, filter, history))),
    next: next && pageAddress(addresses, values, positionText(edition, next)),
    isContinued: after !== undefined,
  };
}

/** The two editions that are compared, for the sentence above the events. */
async function knowledgeWords(
  edition: Edition,
  filter: EventFilter,
  history: EditionHistory,
): Promise<object> {
  const base = await comparedEditionOf(edition, filter, history);
  const date = await knownDayOf(edition, history);
  return {
    newest: { number: edition.number, date: date && formatDate(date) },
    base: { number: base.number, date: formatDate(base.publicationDate) },
  };
}

/** One group for all: each line has its day. */
function knownGroups(
  edition: Edition,
  events: readonly OrganizationEvent[],
  addresses: Addresses,
): readonly object[] {
  if (events.length === 0) return [];
  return [{ organizations: organizationsOf(edition, events, addresses, ({ day }) => day) }];
}

function dayGroups(
  edition: Edition,
  events: readonly OrganizationEvent[],
  addresses: Addresses,
  today: string,
): readonly object[] {
  return Array.from(
    Map.groupBy(events, ({ day }) => day),
    ([day, ofDay]) => ({
      ...eventDay(day, today),
      organizations: organizationsOf(edition, ofDay, addresses),
    }),
  );
}

function organizationsOf(
  edition: Edition,
  events: readonly OrganizationEvent[],
  addresses: Addresses,
  dayOf: (event: OrganizationEvent) => string | undefined = () => undefined,
): readonly object[] {
  return Array.from(
    Map.groupBy(events, ({ code }) => code),
    ([code, ofCode]) => {
      const related = relatedOrganization(edition, code, addresses);
      return {
        ...related,
        // The edition has no record of an organisation that is gone.
        name: related.name ?? ofCode[0]?.name,
        lines: ofCode.map((event) => {
          const day = dayOf(event);
          return {
            ...eventLine(edition, event, code, addresses),
            ...(day !== undefined && { date: formatDate(day) }),
          };
        }),
      };
    },
  );
}

function pageAddress({ changes }: Addresses, values: Values, after: string): string {
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  return `${changes}?${new URLSearchParams([...filled, ['after', after]])}`;
}
