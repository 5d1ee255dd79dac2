/** Lists what an edition knows and an earlier one did not, page by page, by comparing their records. */

import { createPauses } from '../../../threads/pauses.ts';
import { haveSameContent, recordHash } from '../../edition/difference.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EditionHistory, EditionInfo } from '../../edition/edition-store.ts';
import type { SourceRecord } from '../../record/record.ts';
import type { OrganizationEvent } from '../answers.ts';
import { byDay, EVENT_PART, eventsOf } from '../dated-events.ts';
import { predecessorsOf } from '../successors.ts';
import { openBelonging } from './belonging-on-day.ts';
import { comparedEvent } from './code-changes.ts';
import { comparedEditionOf } from './compared-edition.ts';
import { type CodedEvent, coded, createCheck } from './event-facts.ts';
import {
  type EventFilter,
  type EventPage,
  type EventPageOptions,
  hasRole,
  isInDays,
  isOf,
  isOfKind,
  PageTime,
} from './event-filter.ts';
import { differencesBetween, knowledgeOf, listedEditions } from './kept-editions.ts';
import { createStates, type States } from './known-states.ts';
import { createRowFilter } from './row-filter.ts';
import { touchedSince } from './touched-codes.ts';

/**
 * In the order of the codes that editions changed, each event once. A page can have fewer events than
 * the limit although there is a next one. Throws a FhirError if the earlier edition is not kept.
 */
export async function findKnown(
  edition: Edition,
  filter: EventFilter,
  history: EditionHistory,
  { after, limit, pause = createPauses() }: EventPageOptions,
): Promise<EventPage> {
  const base = await comparedEditionOf(edition, filter, history);
  if (base.number === edition.number) return { events: [] };
  const touched = await touchedSince(edition, base, history);
  const infos = await listedEditions(history);
  const states = createStates({ edition, base, infos, touched, history });
  const mayBeWanted = await createCodeFilter(edition, filter);
  const wantedAt = createEventsOf(edition, filter, states);
  const events: OrganizationEvent[] = [];
  const time = new PageTime(pause);
  for (let place = after?.place ?? 0; place < touched.codes.length; place++) {
    const turn = time.pause();
    if (turn !== undefined) await turn;
    if (time.isOver) return { events, next: { place, skip: 0 } };
    const code = touched.codes[place]!;
    const found = mayBeWanted(code) ? await wantedAt(code) : [];
    const skip = place === after?.place ? after.skip : 0;
    const room = limit - events.length;
    events.push(...found.slice(skip, skip + room));
    if (found.length > skip + room) return { events, next: { place, skip: skip + room } };
  }
  return { events };
}

/** Whether a code that editions changed can have wanted events, without reading the disk. */
async function createCodeFilter(
  edition: Edition,
  filter: EventFilter,
): Promise<(code: string) => boolean> {
  const { links } = edition;
  const isWanted = await createRowFilter(edition, filter);
  return (code) =>
    [code, ...predecessorsOf(edition, code).map(({ from }) => from)].some((each) =>
      isWanted(links.rowOf(each) ?? links.rowCount),
    );
}

/** The wanted events of a code, the earliest first. */
function createEventsOf(
  edition: Edition,
  filter: EventFilter,
  states: States,
): (code: string) => Promise<readonly OrganizationEvent[]> {
  const belonging = openBelonging(edition, filter.of ?? '');
  return async (code) => {
    const now = states.now(code);
    const before = await states.before(code);
    const record = now ?? before;
    if (record === undefined) return [];
    const isWanted = (event: OrganizationEvent) => {
      // An organisation that this one replaced can have another record.
      const ofEvent = states.now(event.code);
      const own = ofEvent ?? record;
      const row = (ofEvent ?? now) && edition.links.rowOf(own.code);
      const belongs = (day: string) =>
        row === undefined ? belonging.ofRecord(own, day) : belonging.ofRow(row, day);
      return hasRole(own, filter) && isOf(event, belongs, filter);
    };
    const found = await newEvents(code, { now, before }, edition, states);
    return found
      .filter((event) => isOfKind(event, filter) && isInDays(event, filter) && isWanted(event))
      .toSorted(byDay);
  };
}

interface TwoStates {
  readonly now: SourceRecord | undefined;
  readonly before: SourceRecord | undefined;
}

async function newEvents(
  code: string,
  { now, before }: TwoStates,
  edition: Edition,
  states: States,
): Promise<readonly OrganizationEvent[]> {
  if (now === undefined) {
    if (before === undefined) return [];
    const info = await states.firstWith(code, (state) => state === undefined);
    return [comparedEvent('removed', before, info)];
  }
  const dated = await newDatedEvents(now, before, edition, states);
  if (before === undefined) {
    const info = await states.firstWith(code, (state) => state !== undefined);
    return [comparedEvent('added', now, info), ...dated];
  }
  const found = [...dated, ...(await otherNames(before, now, states))];
  // Each organisation that differs has an event, so that a copy of the directory can follow them.
  if (found.some((event) => event.code === code) || areSame(before, now)) return found;
  return [...found, comparedEvent('changed', now, states.lastTouched(code))];
}

/** Other names and addresses than before, also if they were others in between. */
async function otherNames(
  before: SourceRecord,
  now: SourceRecord,
  states: States,
): Promise<readonly OrganizationEvent[]> {
  const found: OrganizationEvent[] = [];
  for (const { kind } of differencesBetween(before, now, states.lastTouched(now.code))) {
    const has = (state: SourceRecord | undefined) =>
      state !== undefined &&
      differencesBetween(state, now, states.lastTouched(now.code)).every(
        (each) => each.kind !== kind,
      );
    const info = await states.firstWith(now.code, has);
    found.push(...differencesBetween(before, now, info).filter((each) => each.kind === kind));
  }
  return found;
}

async function newDatedEvents(
  now: SourceRecord,
  before: SourceRecord | undefined,
  edition: Edition,
  states: States,
): Promise<readonly OrganizationEvent[]> {
  const { code } = now;
  const wasKnown = createCheck(before);
  const row = edition.links.rowOf(code)!;
  const candidates = [
    ...eventsOf(edition, row, { isWanted: (change) => !wasKnown(change) }),
    ...takenOver(code, edition, states),
  ];
  const found: OrganizationEvent[] = [];
  for (const event of candidates) {
    const info = isSuccession(event)
      ? await successionKnownIn(coded(event), code, states)
      : await states.firstWith(code, (state) => createCheck(state)(coded(event)));
    if (info !== undefined) found.push({ ...event, knownSince: knowledgeOf(info) });
  }
  return found;
}

/** Successions that this record may state, of organisations whose own records are the same. */
function takenOver(code: string, edition: Edition, states: States): readonly OrganizationEvent[] {
  return predecessorsOf(edition, code)
    .filter(({ from }) => states.now(from) !== undefined && !states.isTouched(from))
    .flatMap(({ from }) =>
      eventsOf(edition, edition.links.rowOf(from)!, {
        parts: EVENT_PART.succession,
        isWanted: (change) => change.other === code,
      }),
    );
}

/**
 * Either organisation can state a succession. Undefined if the earlier edition knew it, or if only a
 * record states it that is not full: the list of editions does not say when it changed.
 */
async function successionKnownIn(
  event: CodedEvent,
  code: string,
  states: States,
): Promise<EditionInfo | undefined> {
  const ends = [event.code, event.other ?? ''];
  for (const end of ends) if (createCheck(await states.before(end))(event)) return undefined;
  const stating = ends.filter((end) => createCheck(states.now(end))(event));
  const infos: EditionInfo[] = [];
  for (const end of stating.filter(states.isTouched)) {
    infos.push(await states.firstWith(end, (state) => createCheck(state)(event)));
  }
  if (stating.length === 0) return undefined;
  return infos.toSorted((a, b) => a.number - b.number)[0] ?? states.lastTouched(code);
}

function isSuccession({ kind }: { readonly kind: string }): boolean {
  return kind === 'succeeded' || kind === 'merged';
}

/** `details.hashes` covers relationships only if both editions know them. */
function areSame(before: SourceRecord, now: SourceRecord): boolean {
  if (before.relationships !== undefined) return haveSameContent(before, now);
  return `${recordHash(before)}` === `${recordHash(now)}`;
}
