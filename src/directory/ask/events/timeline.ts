/** What a comparison of the editions that are kept adds to events: since when they are known. */
import { createPauses } from '../../../threads/pauses.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EditionHistory, EditionInfo } from '../../edition/edition-store.ts';
import type { OrganizationEvent } from '../answers.ts';
import { byDay, type DatedChange, EVENT_PART, eventsOf } from '../dated-events.ts';
import { predecessorsOf } from '../successors.ts';
import { coded, createCheck } from './event-facts.ts';
import { differencesOf, keptEditions, knowledgeOf, statesOf } from './kept-editions.ts';

/**
 * What happened to an organisation, the earliest first. It includes what the organisation took over,
 * and what only a comparison of editions shows: other names and addresses.
 */
export async function timelineOf(
  edition: Edition,
  row: number,
  history: EditionHistory,
): Promise<readonly OrganizationEvent[]> {
  const { links, rows } = edition;
  const code = links.codeOf(row);
  const takenOver = predecessorsOf(edition, code).flatMap(({ from }) => {
    const before = links.rowOf(from);
    if (before === undefined || before >= rows.count) return [];
    const isWanted = ({ other }: DatedChange) => other === code;
    return eventsOf(edition, before, { parts: EVENT_PART.succession, isWanted });
  });
  const dated = await withKnownSince(edition, [...eventsOf(edition, row), ...takenOver], history);
  const states = await statesOf(edition, code, await keptEditions(edition, history), history);
  return [...dated, ...differencesOf(states)].toSorted(byDay);
}

/** Adds to each event of a record since when it is known. */
export async function withKnownSince(
  edition: Edition,
  events: readonly OrganizationEvent[],
  history: EditionHistory,
  pause = createPauses(),
): Promise<readonly OrganizationEvent[]> {
  const kept = await keptEditions(edition, history);
  const known = new Map<OrganizationEvent, EditionInfo>();
  for (const [code, ofCode] of Map.groupBy(events, (event) => event.code)) {
    await pause();
    const states = await statesOf(edition, code, kept, history);
    // The oldest edition that is kept may not have been the first one with an event.
    if (states.length < 2) continue;
    const checks = states.map(({ record }) => createCheck(record));
    for (const event of ofCode) {
      const before = checks.findIndex((mayKnow) => !mayKnow(coded(event)));
      if (before > 0) known.set(event, states[before - 1]!.info);
    }
  }
  return events.map((event) => {
    const info = known.get(event);
    return info === undefined ? event : { ...event, knownSince: knowledgeOf(info) };
  });
}
